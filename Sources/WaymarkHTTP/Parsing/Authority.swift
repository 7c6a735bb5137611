import WaymarkBytes

/// A host with an optional port, as the Host field and absolute targets give it (RFC 9110 section 7.2, RFC 3986 section
/// 3.2): a registered name, an IPv4 address, or an IPv6 address in brackets.
struct Authority {
    /// Without the port; includes the brackets of an IPv6 address.
    let host: ByteRange
    /// -1 if absent.
    let port: Int32

    /// Nil if the host is empty or malformed, or the port is above 65,535. User information is malformed.
    @inline(__always)
    init?(_ bytes: Span<UInt8>, _ range: ByteRange) {
        var position = Int(range.start)
        let end = Int(range.end)
        if position == end { return nil }
        if bytes[position] == UInt8(ascii: "[") {
            guard let close = Self.endOfIPv6Literal(bytes, range) else { return nil }
            position = close
        } else {
            position = WordScan.endOfPlainName(bytes, range)
            while position < end {
                let byte = bytes[position]
                // Fast path: most bytes of a name are letters.
                if (byte | 0x20) &- 0x61 < 26 {
                    position &+= 1
                    continue
                }
                if !ASCIISet.registeredName.contains(byte) {
                    if byte == UInt8(ascii: ":") { break }
                    guard byte == UInt8(ascii: "%"), position &+ 2 < end,
                        bytes[position &+ 1].hexadecimalValue != nil, bytes[position &+ 2].hexadecimalValue != nil
                    else { return nil }
                    position &+= 2
                }
                position &+= 1
            }
            if position == Int(range.start) { return nil }
        }
        host = ByteRange(Int(range.start), position)
        guard position < end else {
            port = -1
            return
        }
        guard bytes[position] == UInt8(ascii: ":") else { return nil }
        position &+= 1
        // RFC 3986 section 3.2.3 allows an empty port, which means the scheme's own.
        if position == end {
            port = -1
            return
        }
        var value: Int32 = 0
        while position < end {
            let digit = bytes[position] &- 0x30
            if digit > 9 { return nil }
            value = value &* 10 &+ Int32(digit)
            if value > 65_535 { return nil }
            position &+= 1
        }
        port = value
    }

    /// The offset after the closing bracket of a valid IPv6 address (RFC 3986 section 3.2.2) without a zone.
    private static func endOfIPv6Literal(_ bytes: Span<UInt8>, _ range: ByteRange) -> Int? {
        let end = Int(range.end)
        var position = Int(range.start) + 1
        var groups = 0
        var isCompressed = false
        if position + 1 < end, bytes[position] == UInt8(ascii: ":") {
            guard bytes[position + 1] == UInt8(ascii: ":") else { return nil }
            isCompressed = true
            position += 2
        }
        while position < end, bytes[position] != UInt8(ascii: "]") {
            let start = position
            while position < end, bytes[position].hexadecimalValue != nil { position += 1 }
            if position < end, bytes[position] == UInt8(ascii: ".") {
                guard let after = endOfIPv4(bytes, start, end) else { return nil }
                position = after
                groups += 2
                break
            }
            guard position > start, position - start <= 4 else { return nil }
            groups += 1
            guard position < end, bytes[position] == UInt8(ascii: ":") else { continue }
            position += 1
            guard position < end, bytes[position] != UInt8(ascii: "]") else { return nil }
            if bytes[position] == UInt8(ascii: ":") {
                if isCompressed { return nil }
                isCompressed = true
                position += 1
            }
        }
        guard position < end, bytes[position] == UInt8(ascii: "]") else { return nil }
        guard isCompressed ? groups <= 7 : groups == 8 else { return nil }
        return position + 1
    }

    private static func endOfIPv4(_ bytes: Span<UInt8>, _ start: Int, _ end: Int) -> Int? {
        var position = start
        for part in 0..<4 {
            if part > 0 {
                guard position < end, bytes[position] == UInt8(ascii: ".") else { return nil }
                position += 1
            }
            let first = position
            var value = 0
            while position < end, position - first < 3, bytes[position] &- 0x30 < 10 {
                value = value * 10 + Int(bytes[position] &- 0x30)
                position += 1
            }
            let hasLeadingZero = position - first > 1 && bytes[first] == 0x30
            guard position > first, value < 256, !hasLeadingZero else { return nil }
        }
        return position
    }
}
