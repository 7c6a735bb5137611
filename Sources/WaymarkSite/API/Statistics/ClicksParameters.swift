import WaymarkAPI
import WaymarkLinks
import WaymarkService

/// The query parameters of a request for a link's clicks.
struct ClicksParameters {
    let query: ClickSelection
    /// Whether the response is CSV.
    let isTable: Bool

    /// The default period in days.
    private static let usualDays: Int64 = 30
    static let parameters = ["from", "to", "interval", "by", "format"] + ClickField.allCases.map(\.name)

    /// - Throws: `Problem` with all problems of the query.
    init(_ call: Call, now: Timestamp) throws(Problem) {
        var reading = ClicksReading(query: call.query)
        let format = reading.one("format")
        if let format, format != "csv", format != "json" { reading.reject("format", "must be json or csv") }
        isTable = format.map { $0 == "csv" } ?? call.prefersCSV
        let interval =
            reading.choice("interval", ClickSelection.Interval.allCases.map(\.rawValue))
            .flatMap { ClickSelection.Interval(rawValue: $0) } ?? .day
        let field = reading.choice("by", ClickField.allCases.map(\.name)).flatMap { ClickField(name: $0) }
        var filter: [ClickField: String?] = [:]
        for field in ClickField.allCases {
            guard let text = reading.one(field.name) else { continue }
            if text == ClicksReading.none {
                filter.updateValue(nil, forKey: field)
            } else if let value = field.value(text) {
                filter[field] = value
            } else {
                reading.reject(field.name, field.rule)
            }
        }
        let query = reading.query(now: now, usualDays: Self.usualDays, interval, field, filter)
        guard let query, reading.problems.isEmpty else { throw Problem(invalid: reading.problems) }
        self.query = query
    }
}

/// Takes single parameters from a query, and collects their problems.
struct ClicksReading {
    /// Selects clicks without a value of a field.
    static let none = "none"

    let query: QueryString
    var problems: [FieldProblem] = []

    init(query: QueryString) { self.query = query }

    mutating func reject(_ name: String, _ problem: String) {
        problems.append(FieldProblem(field: name, problem: problem))
    }

    mutating func one(_ name: String) -> String? {
        let values = query.all(name)
        if values.count > 1 { reject(name, "is given more than once") }
        return values.first
    }

    mutating func choice(_ name: String, _ allowed: [String]) -> String? {
        guard let text = one(name) else { return nil }
        if !allowed.contains(text) { reject(name, "must be one of \(allowed.joined(separator: ", "))") }
        return text
    }

    /// - Returns: nil if the period is invalid; the problem has been added.
    mutating func query(
        now: Timestamp, usualDays: Int64, _ interval: ClickSelection.Interval, _ field: ClickField?,
        _ filter: [ClickField: String?]
    ) -> ClickSelection? {
        let day = Timestamp.secondsOfDay * 1_000
        // A date is a whole day, also as the end.
        let end = time("to", dateEndsAfter: day)
        let start = time("from", dateEndsAfter: 0)
        let given = query.all("from").isEmpty == (start == nil) && query.all("to").isEmpty == (end == nil)
        guard given else { return nil }
        let to = end ?? Timestamp(rawValue: max(now.rawValue, start.map { $0.rawValue + 1 } ?? now.rawValue))
        // Today and the days before.
        let from = start ?? to.advanced(byMilliseconds: -1).startOfDay.advanced(byMilliseconds: -(usualDays - 1) * day)
        guard from < to else {
            reject("from", "must be before to")
            return nil
        }
        guard let query = ClickSelection(from: from, to: to, interval: interval, field: field, filter: filter) else {
            reject("from", "must be at most \(interval.dayLimit) days before to where interval is \(interval.rawValue)")
            return nil
        }
        return query
    }

    /// Several of the allowed values, separated by commas, each once.
    mutating func list(_ name: String, _ allowed: [String]) -> [String] {
        guard let text = one(name), !text.isEmpty else { return [] }
        let values = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
        if Set(values).count < values.count { reject(name, "has a value twice") }
        if !values.allSatisfy(allowed.contains) {
            reject(name, "must be some of \(allowed.joined(separator: ", ")), separated by commas")
        }
        return values
    }

    /// - Parameter date: The second that a date stands for, given as days since 1970.
    mutating func time(_ name: String, date: (Int64) -> Int64) -> Int64? {
        guard let text = one(name) else { return nil }
        // A moment within a second belongs to it, as an end too.
        if let time = Timestamp(rfc3339: text) {
            return name == "to" && time.rawValue % 1_000 != 0 ? time.seconds + 1 : time.seconds
        }
        if let day = Timestamp(rfc3339: text + "T00:00:00Z") { return date(Int64(day.day)) }
        reject(name, "must be a date or an RFC 3339 time, such as 2026-11-21 or 2026-11-21T10:00:00Z")
        return nil
    }

    private mutating func time(_ name: String, dateEndsAfter length: Int64) -> Timestamp? {
        guard let text = one(name) else { return nil }
        if let time = Timestamp(rfc3339: text) { return time }
        if let date = Timestamp(rfc3339: text + "T00:00:00Z") { return date.advanced(byMilliseconds: length) }
        reject(name, "must be a date or an RFC 3339 time, such as 2026-11-21 or 2026-11-21T10:00:00Z")
        return nil
    }
}

extension Timestamp {
    fileprivate var startOfDay: Timestamp { Timestamp(seconds: Int64(day) * Timestamp.secondsOfDay) }
}

extension ClickField {
    /// All possible values besides `none`; nil if they are not known in advance.
    private var choices: [String]? {
        switch self {
        case .platform: Platform.allCases.map(\.rawValue)
        case .device: Visitor.Device.allCases.map(\.rawValue)
        case .browser: VisitorClass.Browser.allCases.map(\.rawValue)
        case .inApp: VisitorClass.InApp.allCases.map(\.rawValue)
        case .bot: Visitor.Bot.allCases.map(\.rawValue)
        case .destination: Click.Destination.allCases.map(\.rawValue)
        case .language, .country, .referrerHost, .campaign, .rule, .variant: nil
        }
    }

    /// The value as recorded; nil if no record can have it.
    func value(_ text: String) -> String? {
        switch self {
        case .language: return LanguageTag(text)?.text
        case .country:
            let letters = Array(text.utf8)
            return letters.count == 2 ? CountryCode(letters[0], letters[1])?.text : nil
        case .referrerHost:
            guard text.hasPrefix(ClickField.appPrefix) else { return HostName(text).map { ClickField.recorded($0) } }
            let package = String(text.dropFirst(ClickField.appPrefix.count))
            return AndroidPackage.isValid(package) ? ClickField.recorded(app: package) : nil
        case .campaign, .rule, .variant: return text
        default: return choices?.contains(text) == true ? text : nil
        }
    }

    var rule: String {
        switch self {
        case .language: "must be a language, such as de or pt-BR, or none"
        case .country: "must be the two letters of a country, such as DE, or none"
        case .referrerHost: "must be a host, such as news.example.com, an app, such as app:com.example.mail, or none"
        default: "must be one of \((choices ?? []).joined(separator: ", ")), none"
        }
    }
}
