import WaymarkBytes

/// For parts of a URL. Everything but unreserved characters is encoded, so that a part can never end the component that it
/// is in: a space is `%20`, a plus is `%2B`, a slash is `%2F`.
extension PercentEncoding {
    /// One path segment, query name or query value.
    ///
    /// A loop of its own beside the general one, because an app's link is encoded in a referrer in a store's page in an
    /// intent, and that is most of what such a redirect costs: room is reserved once for the longest result and filled
    /// without a check per byte. Apple's systems before 2025 lack what it uses.
    static func append(part: String.UTF8View, to bytes: inout [UInt8]) {
        bytes.append(addingCapacity: part.count * 3) { output in
            let part = part.span
            for position in part.indices {
                let byte = part[position]
                if byte.isUnreserved {
                    output.append(byte)
                } else {
                    output.append(UInt8(ascii: "%"))
                    output.append(Hexadecimal.capital(byte >> 4))
                    output.append(Hexadecimal.capital(byte & 15))
                }
            }
        }
    }

    static func encode(part: String) -> String {
        var bytes: [UInt8] = []
        append(part: part.utf8, to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }
}
