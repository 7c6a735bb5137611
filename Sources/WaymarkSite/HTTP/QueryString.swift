import WaymarkBytes

/// The parameters of an API request's query: percent-decoded, `+` as a space, as forms write it.
struct QueryString: Sendable {
    private var values: [String: [String]] = [:]

    init(_ bytes: [UInt8]?) {
        for pair in (bytes ?? []).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decodeTextLeniently(parts[1], plusIsSpace: true) : ""
            values[PercentEncoding.decodeTextLeniently(parts[0], plusIsSpace: true), default: []].append(value)
        }
    }

    /// Every name that is given, in alphabetical order.
    var names: [String] { values.keys.sorted() }

    /// Every value that the name is given, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }
}
