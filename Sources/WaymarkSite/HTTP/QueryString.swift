import WaymarkBytes

/// The parameters of an API request's query: percent-decoded, with `+` as a space, as in HTML forms.
struct QueryString: Sendable {
    private var values: [String: [String]] = [:]

    init(_ bytes: [UInt8]?) {
        for pair in (bytes ?? []).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? PercentEncoding.decodeTextLeniently(parts[1], plusIsSpace: true) : ""
            values[PercentEncoding.decodeTextLeniently(parts[0], plusIsSpace: true), default: []].append(value)
        }
    }

    /// All names, sorted.
    var names: [String] { values.keys.sorted() }

    /// All values of the name, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }
}
