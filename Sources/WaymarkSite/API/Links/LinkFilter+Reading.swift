import WaymarkAPI
import WaymarkLinks
import WaymarkStores

extension LinkFilter {
    /// The names of the conditions, as query parameters and as members of `select`.
    static let names = [
        "app", "domain", "tag", "folder", "campaign", "managedBy", "state", "createdFrom", "createdTo", "query",
        "search", "verified",
    ]

    /// Reads the conditions from a query; empty values are ignored, as forms send them, except in `query` and
    /// `search`.
    init(_ query: QueryString, problems: inout [FieldProblem]) {
        var found: [FieldProblem] = []
        self.init { name in
            let values = query.all(name)
            if values.count > 1 { found.append(FieldProblem(field: name, problem: "is given more than once")) }
            guard let value = values.first else { return nil }
            return value.isEmpty && name != "query" && name != "search" ? nil : value
        } reject: {
            found.append(FieldProblem(field: $0, problem: $1))
        }
        problems += found
    }

    /// Reads the conditions from the members of an object. A value that is empty or has the wrong type is a problem:
    /// a change of many links must never ignore a condition.
    init(_ reader: inout ObjectReader) {
        var texts: [String: String] = [:]
        for name in Self.names {
            guard let text = reader.string(name) else { continue }
            if text.isEmpty { reader.reject(name, "is empty") } else { texts[name] = text }
        }
        var found: [(String, String)] = []
        self.init {
            texts[$0]
        } reject: {
            found.append(($0, $1))
        }
        for (name, problem) in found { reader.reject(name, problem) }
    }

    private init(_ value: (String) -> String?, reject: (_ name: String, _ problem: String) -> Void) {
        func read<Value>(_ name: String, _ rule: String, _ parse: (String) -> Value?) -> Value? {
            guard let text = value(name) else { return nil }
            let parsed = parse(text)
            if parsed == nil { reject(name, rule) }
            return parsed
        }
        let time = "must be a date or an RFC 3339 time, such as 2026-11-21 or 2026-11-21T10:00:00Z"
        self.init(
            application: read("app", ApplicationID.rule) { ApplicationID($0) },
            domain: read("domain", "must be a host name") { HostName($0) ?? HostName(hostHeader: $0) },
            tag: value("tag"),
            folder: read("folder", "must be 1 to \(LinkLabel.depth) names separated by single slashes") {
                LinkLabel.composedFolder($0)
            },
            campaign: value("campaign"), managedBy: value("managedBy"),
            state: read("state", "must be one of \(LinkState.all.map(\.rawValue).joined(separator: ", "))") {
                LinkState(rawValue: $0)
            },
            verified: read(
                "verified", "must be one of \(VerificationState.allCases.map(\.name).joined(separator: ", "))"
            ) { VerificationState(name: $0) },
            createdFrom: read("createdFrom", time) { Self.time($0, dateEndsAfter: 0) },
            createdTo: read("createdTo", time) { Self.time($0, dateEndsAfter: Timestamp.secondsOfDay * 1_000) },
            query: read("query", "must be 1 to 200 bytes, or the address of a link") {
                Self.text($0) { (1...200).contains($0.utf8.count) ? $0 : nil }
            },
            search: read("search", "must be 1 to \(SearchWords.limit) words in at most 200 bytes") {
                Self.text($0) { $0.utf8.count <= 200 ? SearchWords($0) : nil }
            })
        if let from = createdFrom, let to = createdTo, from >= to { reject("createdFrom", "must be before createdTo") }
    }

    /// As read; an address that is too long is read without its query and fragment, which lead to the same link.
    private static func text<Value>(_ text: String, _ read: (String) -> Value?) -> Value? {
        read(text) ?? SearchedAddress.withoutQuery(text).flatMap(read)
    }

    private static func time(_ text: String, dateEndsAfter length: Int64) -> Timestamp? {
        Timestamp(rfc3339: text) ?? Timestamp(rfc3339: text + "T00:00:00Z")?.advanced(byMilliseconds: length)
    }
}
