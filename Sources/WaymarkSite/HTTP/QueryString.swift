/// The parameters of an API request's query: percent-decoded, `+` as a space, as forms write it.
struct QueryString: Sendable {
    private var values: [String: [String]] = [:]

    init(_ bytes: [UInt8]?) {
        for pair in (bytes ?? []).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            let value = parts.count > 1 ? Self.decoded(parts[1]) : ""
            values[Self.decoded(parts[0]), default: []].append(value)
        }
    }

    /// Every name that is given, in alphabetical order.
    var names: [String] { values.keys.sorted() }

    /// Every value that the name is given, in order.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    private static func decoded(_ part: ArraySlice<UInt8>) -> String {
        var decoded: [UInt8] = []
        decoded.reserveCapacity(part.count)
        var position = part.startIndex
        while position < part.endIndex {
            let byte = part[position]
            if byte == UInt8(ascii: "%"), position + 2 < part.endIndex,
                let escaped = UInt8(String(decoding: part[(position + 1)...(position + 2)], as: UTF8.self), radix: 16),
                part[position + 1] != UInt8(ascii: "+"), part[position + 1] != UInt8(ascii: "-")
            {
                decoded.append(escaped)
                position += 3
            } else {
                decoded.append(byte == UInt8(ascii: "+") ? UInt8(ascii: " ") : byte)
                position += 1
            }
        }
        return String(decoding: decoded, as: UTF8.self)
    }
}
