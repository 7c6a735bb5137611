internal import Foundation

/// Writes small files in MaxMind's format (MaxMind DB File Format Specification 2.0): a binary search tree over the bits of an
/// address, sixteen zero bytes, the data, and what describes all of it. Records of 24 bits, addresses of IPv6; those of
/// IPv4 stand below 96 zero bits.
package enum MaxMindFile {
    /// How the data names the country.
    package enum Form: CaseIterable, Sendable {
        /// `{"country": {"iso_code": "DE"}}`, as MaxMind and DB-IP do.
        case nested
        /// `{"country_code": "DE"}`, as IPinfo does.
        case code
        /// `{"country": "DE"}`
        case plain
    }

    /// Writes a temporary file and gives its path.
    ///
    /// - Parameter networks: addresses with the lengths of their prefixes; none within another.
    package static func write(_ networks: [(address: String, length: Int, country: String)], form: Form = .nested)
        throws
        -> String
    {
        let path = FileManager.default.temporaryDirectory.path + "/\(UUID().uuidString).mmdb"
        try Data(bytes(networks, form)).write(to: URL(fileURLWithPath: path))
        return path
    }

    private static func bytes(_ networks: [(address: String, length: Int, country: String)], _ form: Form) -> [UInt8] {
        // A record: 0 leads nowhere, a positive number is a node, a negative one a place in the data, less one.
        var nodes: [[Int]] = [[0, 0]]
        var data: [UInt8] = []
        for (address, length, country) in networks {
            let index = data.count
            data += record(country, form)
            let (bits, prefix) = Self.bits(address, length)
            var node = 0
            for index in 0..<prefix - 1 {
                if nodes[node][bits[index]] == 0 {
                    nodes.append([0, 0])
                    nodes[node][bits[index]] = nodes.count - 1
                }
                node = nodes[node][bits[index]]
            }
            nodes[node][bits[prefix - 1]] = -index - 1
        }
        var bytes: [UInt8] = []
        for node in nodes {
            for record in node {
                let value = record == 0 ? nodes.count : record > 0 ? record : nodes.count + 16 - record - 1
                bytes += [UInt8(value >> 16 & 0xFF), UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)]
            }
        }
        return bytes + [UInt8](repeating: 0, count: 16) + data
            + Array("\u{AB}\u{CD}\u{EF}".unicodeScalars.map { UInt8($0.value) })
            + Array("MaxMind.com".utf8) + description(nodes.count)
    }

    private static func bits(_ address: String, _ length: Int) -> (bits: [Int], prefix: Int) {
        var bytes = [UInt8](repeating: 0, count: 16)
        let isIPv4 = address.contains(".")
        if isIPv4 {
            var parsed = in_addr()
            _ = inet_pton(AF_INET, address, &parsed)
            withUnsafeBytes(of: parsed) { for index in 0..<4 { bytes[12 + index] = $0[index] } }
        } else {
            var parsed = in6_addr()
            _ = inet_pton(AF_INET6, address, &parsed)
            withUnsafeBytes(of: parsed) { for index in 0..<16 { bytes[index] = $0[index] } }
        }
        let bits = bytes.flatMap { byte in (0..<8).map { Int(byte >> (7 - $0) & 1) } }
        return (bits, isIPv4 ? 96 + length : length)
    }

    private static func record(_ country: String, _ form: Form) -> [UInt8] {
        switch form {
        case .nested: map([("country", map([("iso_code", text(country))]))])
        case .code: map([("country", text("A long name")), ("country_code", text(country))])
        case .plain: map([("country", text(country))])
        }
    }

    private static func description(_ nodes: Int) -> [UInt8] {
        map([
            ("binary_format_major_version", number(5, 2)), ("binary_format_minor_version", number(5, 0)),
            ("build_epoch", number(9, 1_790_000_000)), ("database_type", text("Test-Country")),
            ("description", map([("en", text("Test"))])), ("ip_version", number(5, 6)), ("languages", [0x00, 0x04]),
            ("node_count", number(6, nodes)), ("record_size", number(5, 24)),
        ])
    }

    // A value's first byte is its type, 1 to 7, and its length below 29; types from 8 on have theirs, less 7, behind it.

    private static func text(_ value: String) -> [UInt8] { [0x40 | UInt8(value.utf8.count)] + Array(value.utf8) }

    private static func map(_ members: [(String, [UInt8])]) -> [UInt8] {
        [0xE0 | UInt8(members.count)] + members.flatMap { text($0.0) + $0.1 }
    }

    private static func number(_ type: UInt8, _ value: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = value
        while rest > 0 {
            bytes.insert(UInt8(rest & 0xFF), at: 0)
            rest >>= 8
        }
        let count = UInt8(bytes.count)
        return (type > 7 ? [count, type - 7] : [type << 5 | count]) + bytes
    }
}
