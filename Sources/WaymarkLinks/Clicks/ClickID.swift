package import WaymarkBytes

/// The ID of a click, which contains its link and time: 24 bytes as 32 characters of base64url.
///
///     link id 48 bits | seconds 32 bits | counted 1 bit | random 47 bits | MAC 64 bits
///
/// All in network byte order; the MAC is SipHash-2-4 of the first 16 bytes. If a rule decided, its mark takes the first
/// 20 of the random bits, and the MAC is that of the inverted link and seconds, which are those of no valid ID. The
/// characters need no escaping in URLs, and all IDs have the same length, so a response for one click can be reused for
/// another by overwriting the ID.
package struct ClickID: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let mac: UInt64

    /// In characters.
    package static let length = 32
    /// How long an ID is valid.
    package static let lifetimeInSeconds: Int64 = 30 * 24 * 60 * 60
    /// How far another server's clock may be ahead.
    package static let skewInSeconds: Int64 = 300

    /// - Parameters:
    ///   - link: less than 2^48; stores count from 1.
    ///   - counted: whether the click was counted as a person's.
    ///   - random: its lower 47 bits distinguish clicks in the same second, with a rule its lower 27.
    package static func make(
        link: LinkID, now: Timestamp, counted: Bool, random: UInt64, secret: SipHash, rule: ClickRuleMark = .none
    ) -> ClickID {
        let seconds = UInt64(UInt32(clamping: now.seconds))
        let first = UInt64(bitPattern: link.rawValue) << 16 | seconds >> 16
        var second = seconds << 48 | (counted ? 1 << 47 : 0) | random & (1 << 47 - 1)
        if rule != .none {
            let mask: UInt64 = (1 << ClickRuleMark.bitCount - 1) << randomBitsWithRule
            second = second & ~mask | UInt64(rule.bits) << randomBitsWithRule
            return ClickID(
                first: first, second: second, mac: secret.hash((~first).byteSwapped, second.byteSwapped))
        }
        return ClickID(first: first, second: second, mac: secret.hash(first.byteSwapped, second.byteSwapped))
    }

    /// The contents of a verified ID.
    package struct Content: Sendable, Equatable {
        package let link: LinkID
        package let at: Timestamp
        package let counted: Bool
        package let rule: ClickRuleMark

        package init(link: LinkID, at: Timestamp, counted: Bool, rule: ClickRuleMark = .none) {
            self.link = link
            self.at = at
            self.counted = counted
            self.rule = rule
        }
    }

    private static let randomBitsWithRule = 47 - ClickRuleMark.bitCount

    /// Nil if the ID was not created with this secret, is older than 30 days or is from the future.
    package static func parse(_ text: String, secret: SipHash, now: Timestamp) -> Content? {
        guard text.utf8.count == length else { return nil }
        var first: UInt64 = 0
        var second: UInt64 = 0
        var mac: UInt64 = 0
        for byte in text.utf8 {
            guard let value = sextet(byte) else { return nil }
            // The three words are shifted as one number of 192 bits.
            first = first << 6 | second >> 58
            second = second << 6 | mac >> 58
            mac = mac << 6 | value
        }
        // Compares whole words, so the time does not depend on where they differ.
        let isPlain = secret.hash(first.byteSwapped, second.byteSwapped) == mac
        guard isPlain || secret.hash((~first).byteSwapped, second.byteSwapped) == mac else { return nil }
        let seconds = Int64((first & 0xFFFF) << 16 | second >> 48)
        guard seconds >= now.seconds - lifetimeInSeconds, seconds <= now.seconds + skewInSeconds else { return nil }
        return Content(
            link: LinkID(rawValue: Int64(first >> 16)), at: Timestamp(seconds: seconds),
            counted: second >> 47 & 1 == 1,
            rule: isPlain
                ? .none
                : ClickRuleMark(bits: UInt32(second >> randomBitsWithRule & (1 << ClickRuleMark.bitCount - 1))))
    }

    /// An ID that no resolve accepts: 32 times `_`.
    package static let placeholder = ClickID(first: .max, second: .max, mac: .max)

    // Safety: `characters` is a tuple of 32 bytes without padding; its buffer is read within the closure.
    package var text: String { unsafe withUnsafeBytes(of: characters) { unsafe String(decoding: $0, as: UTF8.self) } }

    /// Appends the 32 characters.
    package func append(to bytes: inout [UInt8]) {
        unsafe withUnsafeBytes(of: characters) { unsafe bytes.append(contentsOf: $0) }
    }

    /// The 32 characters in memory order.
    package var characters: (UInt64, UInt64, UInt64, UInt64) {
        (
            Self.characters(first >> 16), Self.characters(first << 32 | second >> 32),
            Self.characters(second << 16 | mac >> 48), Self.characters(mac)
        )
    }

    /// The lower 48 bits as eight characters, computed in parallel: each byte of a word is independent, and none
    /// overflows or underflows.
    private static func characters(_ bits: UInt64) -> UInt64 {
        var word = (bits & 0xFFFF_FF00_0000) << 8 | bits & 0xFF_FFFF
        word = (word & 0x00FF_F000_00FF_F000) << 4 | word & 0x0000_0FFF_0000_0FFF
        word = (word & 0x0FC0_0FC0_0FC0_0FC0) << 2 | word & 0x003F_003F_003F_003F
        /// 1 in each byte whose sextet is at least this value.
        func atLeast(_ sextet: UInt64) -> UInt64 { (word &+ (128 - sextet) &* ones) &>> 7 & ones }
        // A to Z, a to z, 0 to 9, then a hyphen and an underscore.
        let letters = word &+ 0x41 &* ones &+ 6 &* atLeast(26)
        return (letters &- 75 &* atLeast(52) &- 13 &* atLeast(62) &+ 49 &* atLeast(63)).bigEndian
    }

    private static let ones: UInt64 = 0x0101_0101_0101_0101

    private static func sextet(_ byte: UInt8) -> UInt64? {
        switch byte {
        case 0x41...0x5A: UInt64(byte - 0x41)
        case 0x61...0x7A: UInt64(byte - 0x61 + 26)
        case 0x30...0x39: UInt64(byte - 0x30 + 52)
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
