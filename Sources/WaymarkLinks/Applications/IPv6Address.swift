/// Parses and formats IPv6 addresses (RFC 4291, section 2.2), so that every notation of an address is the same host
/// name.
struct IPv6Address: Equatable, Sendable {
    let groups: [UInt16]

    /// Without brackets and without a zone, which only has a meaning on the machine that wrote it.
    init?(_ text: Substring) {
        let bytes = Array(text.utf8)
        guard (2...45).contains(bytes.count) else { return nil }
        var head: [UInt16] = []
        var tail: [UInt16]?
        var position = 0
        if bytes[0] == UInt8(ascii: ":") {
            guard bytes[1] == UInt8(ascii: ":") else { return nil }
            tail = []
            position = 2
        }
        while position < bytes.count {
            let end = bytes[position...].firstIndex(of: UInt8(ascii: ":")) ?? bytes.count
            let part = bytes[position..<end]
            var read: [UInt16] = []
            if end == bytes.count, part.contains(UInt8(ascii: ".")) {
                guard let pair = IPv6Address.embeddedIPv4(part) else { return nil }
                read = pair
            } else {
                guard (1...4).contains(part.count), let group = IPv6Address.group(part) else { return nil }
                read = [group]
            }
            if tail == nil { head += read } else { tail? += read }
            guard end < bytes.count else { break }
            position = end + 1
            if position < bytes.count, bytes[position] == UInt8(ascii: ":") {
                guard tail == nil else { return nil }
                tail = []
                position += 1
            } else if position == bytes.count {
                return nil
            }
        }
        let given = head.count + (tail?.count ?? 0)
        if let tail {
            guard given <= 7 else { return nil }
            groups = head + Array(repeating: 0, count: 8 - given) + tail
        } else {
            guard given == 8 else { return nil }
            groups = head
        }
    }

    private static func group(_ part: ArraySlice<UInt8>) -> UInt16? {
        var value: UInt16 = 0
        for byte in part {
            guard let digit = byte.hexValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }

    private static func embeddedIPv4(_ part: ArraySlice<UInt8>) -> [UInt16]? {
        let fields = part.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard fields.count == 4 else { return nil }
        var numbers: [UInt16] = []
        for field in fields {
            guard (1...3).contains(field.count), field.allSatisfy(\.isDigit),
                !(field.count > 1 && field.first == UInt8(ascii: "0"))
            else { return nil }
            let number = field.reduce(0) { $0 * 10 + Int($1 - 0x30) }
            guard number <= 255 else { return nil }
            numbers.append(UInt16(number))
        }
        return [numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3]]
    }

    /// RFC 5952, section 4: lower case, no leading zeros, the first longest run of two or more zero groups as `::`.
    var text: String {
        var best = 0..<0
        var start = 0
        while start < 8 {
            var end = start
            while end < 8, groups[end] == 0 { end += 1 }
            if end - start > max(best.count, 1) { best = start..<end }
            start = max(end, start + 1)
        }
        let written = groups.map { String($0, radix: 16) }
        guard !best.isEmpty else { return written.joined(separator: ":") }
        return written[..<best.lowerBound].joined(separator: ":") + "::"
            + written[best.upperBound...].joined(separator: ":")
    }
}
