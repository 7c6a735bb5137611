import WaymarkBytes
import WaymarkJSON
import WaymarkLinks

extension SourceLink {
    /// Shlink: of its rules the first whose conditions all hold, by priority, else the URL. Parameters of the
    /// visit replace those of the URL.
    static func shlink(_ row: SourceValues, _ time: ForeignTime) -> SourceLink {
        var link = SourceLink()
        link.addresses = row.addresses(
            short: ["smartlink", "shortUrl", "short url"], slug: ["slug", "shortCode", "short code"],
            domain: ["domain"], further: ["aliases"])
        switch row.flag("forwardQuery") {
        case true?: link.query = .forwarded(visitorWins: true)
        case false?: link.query = .dropped
        case nil: break
        }
        link.start = row.moment(time, "validFrom", "meta.validSince", "valid since")
        link.end = row.moment(time, "expiresAt", "meta.validUntil", "valid until")
        if let most = row.text("meta.maxVisits", "maxVisits", "max visits").flatMap({ Int($0) }),
            let made = row.text("visitsSummary.total", "visitsCount", "visits").flatMap({ Int($0) }), made >= most
        {
            link.closed = "the link has had its \(most) visits"
        }
        let url = row.text("urls.web", "longUrl", "long url")
        let rules = ShlinkRule.rules(row.value("redirectRules")?.array ?? [], time)
        link.probes = rules.compactMap(\.probe)
        link.decide = { visit, now in
            var answers: [ExpectedAnswer] = []
            for rule in rules {
                let holds = rule.holds(for: visit, at: now)
                if holds != false { answers.append(ExpectedAnswer(rule.url)) }
                if holds == true { return answers }
            }
            return answers + (url.map { [ExpectedAnswer($0)] } ?? [])
        }
        return link
    }
}

/// One of the rules that a link of Shlink has.
private struct ShlinkRule: Sendable {
    let url: String
    private let conditions: [Condition]

    /// More than a link may have here are not compared.
    private static let limit = 100

    static func rules(_ values: [JSONValue], _ time: ForeignTime) -> [ShlinkRule] {
        let sorted = values.prefix(limit).enumerated().sorted { one, other in
            let (first, second) = (
                one.element["priority"]?.integer ?? 0, other.element["priority"]?.integer ?? 0
            )
            return (first, one.offset) < (second, other.offset)
        }
        return sorted.compactMap { _, value in
            guard let url = value["longUrl"]?.string else { return nil }
            return ShlinkRule(
                url: url,
                conditions: (value["conditions"]?.array ?? []).prefix(limit).map { Condition($0, time) })
        }
    }

    /// Nil if a visitor can't choose it: an address, a place.
    func holds(for visit: SourceVisit, at now: Timestamp) -> Bool? {
        let found = conditions.map { $0.holds(for: visit, at: now) }
        if found.contains(false) { return false }
        return found.contains(nil) ? nil : true
    }

    /// A visit for which all conditions hold that a visitor can choose; nil if it is one that is made anyway.
    var probe: SourceVisit? {
        var visit = SourceVisit(device: .desktop)
        for condition in conditions {
            switch condition {
            case .device(let name):
                visit.device = VisitDevice.allCases.first { Condition.matches($0, name) } ?? visit.device
            case .language(let tag):
                let tag = tag.replacing("_", with: "-")
                // It becomes a header field.
                guard tag.utf8.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") }) else {
                    return nil
                }
                visit.language = tag
            case .parameter(let parameter, _): visit.query.append(parameter)
            case .after, .before, .browser, .other: break
            }
        }
        return visit.query.isEmpty && visit.language == nil ? nil : visit
    }

    private enum Condition: Sendable {
        case device(String)
        case language(String)
        case browser(String)
        /// `isAny`: whatever the value is.
        case parameter(SourceVisit.Parameter, isAny: Bool)
        case after(Timestamp?)
        case before(Timestamp?)
        case other

        init(_ value: JSONValue, _ time: ForeignTime) {
            let text = value["matchValue"]?.string ?? ""
            let key = value["matchKey"]?.string ?? ""
            self =
                switch value["type"]?.string {
                case "device": .device(text)
                case "language": .language(text.lowercased())
                case "browser": .browser(text.lowercased())
                case "query-param": .parameter(.init(name: key, value: text), isAny: false)
                case "any-value-query-param": .parameter(.init(name: key, value: "1"), isAny: true)
                case "valueless-query-param": .parameter(.init(name: key, value: nil), isAny: false)
                case "after-date": .after(time.timestamp(text))
                case "before-date": .before(time.timestamp(text))
                default: .other
                }
        }

        func holds(for visit: SourceVisit, at now: Timestamp) -> Bool? {
            switch self {
            case .device(let name): Self.matches(visit.device, name)
            case .language(let tag):
                visit.language.map { Self.matches($0.lowercased(), language: tag) } ?? false
            case .browser(let name):
                name == (visit.device == .iphone || visit.device == .ipad ? "safari" : "chrome")
            case .parameter(let parameter, let isAny):
                visit.query.contains { $0.name == parameter.name && (isAny || $0.value == parameter.value) }
            case .after(let moment): moment.map { $0 <= now }
            case .before(let moment): moment.map { now < $0 }
            case .other: nil
            }
        }

        static func matches(_ device: VisitDevice, _ name: String) -> Bool {
            switch (name, device) {
            case ("ios", .iphone), ("ios", .ipad), ("android", .android), ("desktop", .desktop),
                ("windows", .desktop):
                true
            case ("mobile", let device): device != .desktop
            default: false
            }
        }

        /// `de` holds for `de-at` too, `de-at` for itself alone.
        private static func matches(_ visitors: String, language tag: String) -> Bool {
            let tag = tag.replacing("_", with: "-")
            return visitors == tag || visitors.hasPrefix(tag + "-")
        }
    }
}
