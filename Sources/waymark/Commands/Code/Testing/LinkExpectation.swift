import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks

/// What a link's test expects of one visitor.
struct LinkExpectation: Sendable {
    enum Target: Sendable, Equatable {
        /// A page that leads nowhere.
        case nowhere
        case url(String)
    }

    let place: CodePlace
    let visitor: ExpectedVisitor
    /// ISO 3166-1 alpha-2.
    let country: String?
    let language: String?
    let time: String?
    /// The name of a rule with a percentage, in whose share the visitor is; `.some(nil)`: one whom no rule takes by a
    /// percentage. Nil: any.
    let variant: String??
    let leadsTo: Target?
    let opensApp: Bool?
    let outcome: String?

    /// Of one link.
    static let limit = 200
    static let members = ["as", "from", "language", "at", "variant", "leadsTo", "opensApp", "outcome"]
    static let outcomes = [
        "redirect", "openApp", "store", "page", "preview", "gone", "scheduled", "notFound",
    ]
    static let shape = JSONShape.object(Dictionary(uniqueKeysWithValues: members.map { ($0, .scalar) }))

    static func all(
        _ value: JSONValue?, of document: JSONDocument, _ place: CodePlace, _ problems: inout [FieldProblem]
    ) -> [LinkExpectation] {
        guard let value, !value.isNull else { return [] }
        guard let elements = value.array else {
            problems.append(FieldProblem(field: "expect", problem: "must be an array, not \(value.noun)"))
            return []
        }
        if let count = document.countBeyondMaximum(of: value) {
            problems.append(
                FieldProblem(field: "expect", problem: "must hold at most \(limit) elements, not \(count)"))
        }
        return elements.enumerated().compactMap { index, element in
            LinkExpectation(element, place.moved(to: element.range.lowerBound), "expect[\(index)]", &problems)
        }
    }

    private init?(_ value: JSONValue, _ place: CodePlace, _ field: String, _ problems: inout [FieldProblem]) {
        let count = problems.count
        func reject(_ name: String, _ problem: String) {
            problems.append(FieldProblem(field: name.isEmpty ? field : "\(field).\(name)", problem: problem))
        }
        guard let object = value.object else {
            reject("", "must be an object, not \(value.noun)")
            return nil
        }
        for member in object.members where !Self.members.contains(member.name) {
            reject(member.name, "is not a known field")
        }
        func text(_ name: String) -> String? {
            guard let value = object[name], !value.isNull else { return nil }
            if value.string == nil { reject(name, "must be a string, not \(value.noun)") }
            return value.string
        }
        let name = text("as")
        let visitor = name.flatMap { ExpectedVisitor(named: $0) }
        if let name, visitor == nil {
            let advice = NearestName.of(name, in: ExpectedVisitor.names).map { "did you mean \"\($0)\"?" }
            reject(
                "as",
                "is no known visitor; \(advice ?? "give one of \(ExpectedVisitor.names.joined(separator: ", "))")")
        } else if object["as"] == nil {
            reject("as", "is missing; give one of \(ExpectedVisitor.names.joined(separator: ", "))")
        }
        country = text("from")
        if let country, country.utf8.count != 2 || !country.utf8.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }) {
            reject("from", "must be two letters of ISO 3166-1, such as DE")
        }
        language = text("language")
        if let language, !Self.isAcceptLanguage(language) {
            reject("language", "must be a language such as de or pt-BR, or several, as in de-AT,en;q=0.8")
        }
        time = text("at")
        if let time, Timestamp(rfc3339: time) == nil {
            reject("at", "is no RFC 3339 time such as 2026-11-21T10:00:00Z")
        }
        variant = object["variant"]?.isNull == true ? .some(nil) : text("variant").map { $0 }
        if let name = variant ?? nil, !(1...Rule.nameLimit).contains(name.unicodeScalars.count) {
            reject("variant", "must be the name of a rule with a percentage, or null")
        }
        outcome = text("outcome")
        if let outcome, !Self.outcomes.contains(outcome) {
            reject("outcome", "must be one of \(Self.outcomes.joined(separator: ", "))")
        }
        let opens = object["opensApp"].flatMap { $0.isNull ? nil : $0 }
        opensApp = opens?.bool
        if let opens, opens.bool == nil { reject("opensApp", "must be true or false, not \(opens.noun)") }
        leadsTo = object["leadsTo"]?.isNull == true ? .nowhere : text("leadsTo").map { .url($0) }
        if leadsTo == nil, opensApp == nil, outcome == nil, problems.count == count {
            reject("", "expects nothing; give leadsTo, opensApp or outcome")
        }
        self.place = place
        guard let visitor, problems.count == count else { return nil }
        self.visitor = visitor
    }

    /// Whether a server reads each part of it: one that it can't read would be as if it were not there.
    private static func isAcceptLanguage(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard (1...100).contains(bytes.count), bytes.allSatisfy({ 0x20..<0x7F ~= $0 }) else { return false }
        var list = QualityList(ByteRange(0, bytes.count))
        var hasLanguage = false
        while let element = list.next(in: bytes.span) {
            let range = String(decoding: bytes[element.value.indices], as: UTF8.self)
            guard element.quality > 0, !element.hasParameters else { return false }
            if LanguageTag.range(range) != nil { hasLanguage = true } else if range != "*" { return false }
        }
        return hasLanguage
    }

    /// As reports name it: `iphone from DE, language de`.
    var name: String {
        var parts = [visitor.name + (country.map { " from \($0)" } ?? "")]
        if let language { parts.append("language \(language)") }
        if let time { parts.append("at \(time)") }
        if let variant { parts.append(variant.map { "variant \($0)" } ?? "no variant") }
        return parts.joined(separator: ", ")
    }
}
