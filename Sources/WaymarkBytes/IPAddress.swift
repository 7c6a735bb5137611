/// An IPv4 or IPv6 address as a plain value.
///
/// IPv4 is held in its IPv4-mapped form (`::ffff:a.b.c.d`, RFC 4291 section 2.5.5.2), so an IPv4 client is the same
/// client on an IPv4 and on a dual-stack socket.
package struct IPAddress: Sendable, Hashable {
    /// The first 64 bits; of IPv6, what one subscriber usually gets.
    package let high: UInt64
    /// The last 64 bits.
    package let low: UInt64

    package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// An IPv4 address from its 32 bits, most significant first.
    package init(ipv4 bits: UInt32) {
        self.init(high: 0, low: 0xffff_0000_0000 | UInt64(bits))
    }

    package var isIPv4: Bool { high == 0 && low >> 32 == 0xffff }

    /// 127.0.0.0/8 or ::1.
    package var isLoopback: Bool { isIPv4 ? (low >> 24) & 0xff == 127 : high == 0 && low == 1 }

    /// The low 32 bits: the address, where `isIPv4`.
    package var ipv4: UInt32 { UInt32(truncatingIfNeeded: low) }

    // MARK: - Text

    /// `192.0.2.1`, or IPv6 as RFC 5952 writes it.
    package var text: String { isIPv4 ? dotted : ipv6Text }

    /// Digit by digit: every line of the access log holds one.
    private var dotted: String {
        // unsafe because the text is written where it will be kept: at most fifteen bytes, which need no allocation.
        unsafe String(unsafeUninitializedCapacity: 15) { bytes in
            var count = 0
            for shift: UInt32 in [24, 16, 8, 0] {
                let number = UInt8(truncatingIfNeeded: ipv4 >> shift)
                if shift < 24 {
                    unsafe bytes[count] = UInt8(ascii: ".")
                    count += 1
                }
                for (divisor, least): (UInt8, UInt8) in [(100, 100), (10, 10), (1, 0)] where number >= least {
                    unsafe bytes[count] = UInt8(ascii: "0") + number / divisor % 10
                    count += 1
                }
            }
            return count
        }
    }

    /// RFC 5952 section 4, for an IPv4 address too: lower case, no leading zeros, the first longest run of two or more
    /// zero groups as `::`.
    package var ipv6Text: String {
        let groups = [high, low].flatMap { half in
            [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
        }
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

    // MARK: - Parsing

    /// Parses `192.0.2.1` or `2001:db8::1` (no brackets, no zone).
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(bytes.span)
    }

    /// As from text, out of received bytes; allocates nothing.
    package init?(_ text: Span<UInt8>) {
        if let ipv4 = Self.ipv4(text, from: 0) { self.init(ipv4: ipv4) } else { self.init(ipv6: text) }
    }

    /// IPv6 only.
    package init?(ipv6 text: some StringProtocol) {
        let bytes = Array(text.utf8)
        self.init(ipv6: bytes.span)
    }

    /// RFC 4291 section 2.2, without a zone, which means something only on the machine that wrote it.
    private init?(ipv6 text: Span<UInt8>) {
        guard (2...45).contains(text.count) else { return nil }
        // Before and behind "::".
        var (head, tail) = (Groups(), Groups())
        var isCompressed = false
        var position = 0
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return nil }
            isCompressed = true
            position = 2
        }
        while position < text.count {
            var part = Groups()
            if let ipv4 = Self.ipv4(text, from: position) {
                part.append(UInt64(ipv4 >> 16))
                part.append(UInt64(ipv4 & 0xffff))
                position = text.count
            } else {
                var group: UInt64 = 0
                let end = min(position + 4, text.count)
                let start = position
                while position < end, let digit = text[position].hexadecimalValue {
                    group = group << 4 | UInt64(digit)
                    position += 1
                }
                guard position > start else { return nil }
                part.append(group)
            }
            if isCompressed { tail.append(part) } else { head.append(part) }
            guard position < text.count else { break }
            guard text[position] == UInt8(ascii: ":"), position + 1 < text.count else { return nil }
            position += 1
            if text[position] == UInt8(ascii: ":") {
                guard !isCompressed else { return nil }
                isCompressed = true
                position += 1
            }
        }
        let given = head.count + tail.count
        guard isCompressed ? given <= 7 : given == 8 else { return nil }
        while head.count < 8 { head.append(0) }
        self.init(high: head.high | tail.high, low: head.low | tail.low)
    }

    /// The four numbers from `start` to the end; none of them has a leading zero, which some read as octal.
    private static func ipv4(_ text: Span<UInt8>, from start: Int) -> UInt32? {
        var address: UInt32 = 0
        var position = start
        for part in 0..<4 {
            if part > 0 {
                guard position < text.count, text[position] == UInt8(ascii: ".") else { return nil }
                position += 1
            }
            let first = position
            var number: UInt32 = 0
            while position < min(first + 3, text.count), text[position].isDigit {
                number = number * 10 + UInt32(text[position] - 0x30)
                position += 1
            }
            guard position > first, number <= 255, position == first + 1 || text[first] != UInt8(ascii: "0") else {
                return nil
            }
            address = address << 8 | number
        }
        return position == text.count ? address : nil
    }

    /// Groups of 16 bits, the last in the lowest bits.
    private struct Groups {
        private(set) var high: UInt64 = 0
        private(set) var low: UInt64 = 0
        private(set) var count = 0

        mutating func append(_ group: UInt64) {
            high = high << 16 | low >> 48
            low = low << 16 | group
            count += 1
        }

        /// One or two, of which the low half is enough.
        mutating func append(_ groups: Groups) {
            if groups.count == 2 { append(groups.low >> 16) }
            append(groups.low & 0xffff)
        }
    }
}
