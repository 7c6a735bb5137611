/// The id of one click, which says by itself which link was followed and when: 24 bytes as 32 characters of base64url.
///
///     link id 48 bits | seconds 32 bits | counted 1 bit | random 47 bits | MAC 64 bits
///
/// All in network order; the MAC is SipHash-2-4 over the first 16 bytes. No character of the text is touched by any
/// encoding of URLs, and all ids are equally long: an answer that was made with one id becomes another click's when the
/// new id is written over it, which is what `placeholder` is for.
package struct ClickID: Hashable, Sendable {
    private let first: UInt64
    private let second: UInt64
    private let mac: UInt64

    /// Characters.
    package static let length = 32
    /// How long an id can be used.
    package static let lifetimeInSeconds: Int64 = 30 * 24 * 60 * 60
    /// How far another server's clock may be ahead.
    package static let skewInSeconds: Int64 = 300

    /// - Parameters:
    ///   - link: up to 2^48; stores count from 1.
    ///   - counted: whether the click counts as a person's.
    ///   - random: of which the lower 47 bits are used; tells two clicks of one second apart.
    package static func make(
        link: LinkID, now: Timestamp, counted: Bool, random: UInt64, secret: SipHash
    ) -> ClickID {
        let seconds = UInt64(UInt32(clamping: now.seconds))
        let first = UInt64(bitPattern: link.rawValue) << 16 | seconds >> 16
        let second = seconds << 48 | (counted ? 1 << 47 : 0) | random & (1 << 47 - 1)
        return ClickID(first: first, second: second, mac: secret.hash(first.byteSwapped, second.byteSwapped))
    }

    /// What a verified id says.
    package struct Content: Sendable, Equatable {
        package let link: LinkID
        package let at: Timestamp
        package let counted: Bool
    }

    /// Nil for what was not made under this secret, is older than 30 days or comes from the future.
    package static func parse(_ text: String, secret: SipHash, now: Timestamp) -> Content? {
        guard text.utf8.count == length else { return nil }
        var first: UInt64 = 0
        var second: UInt64 = 0
        var mac: UInt64 = 0
        for byte in text.utf8 {
            guard let value = sextet(byte) else { return nil }
            // The three words are one number of 192 bits, shifted left as a whole.
            first = first << 6 | second >> 58
            second = second << 6 | mac >> 58
            mac = mac << 6 | value
        }
        // One comparison of whole words: how long it takes says nothing of where they differ.
        guard secret.hash(first.byteSwapped, second.byteSwapped) == mac else { return nil }
        let seconds = Int64((first & 0xFFFF) << 16 | second >> 48)
        guard seconds >= now.seconds - lifetimeInSeconds, seconds <= now.seconds + skewInSeconds else { return nil }
        return Content(
            link: LinkID(rawValue: Int64(first >> 16)), at: Timestamp(seconds: seconds),
            counted: second >> 47 & 1 == 1)
    }

    /// An id of no click, to build an answer with whose ids are written later: 32 times `_`.
    package static let placeholder = ClickID(first: .max, second: .max, mac: .max)

    package var text: String {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(ClickID.length)
        append(to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Appends the 32 characters.
    package func append(to bytes: inout [UInt8]) {
        for place in 0..<ClickID.length { bytes.append(self[place]) }
    }

    /// The character at a place from 0 to 31.
    package subscript(place: Int) -> UInt8 {
        let bit = place * 6
        let (word, next) = bit < 64 ? (first, second) : bit < 128 ? (second, mac) : (mac, 0)
        let free = 64 - bit % 64
        let value =
            free >= 6 ? word >> UInt64(free - 6) : word << UInt64(6 - free) | next >> UInt64(64 - (6 - free))
        return ClickID.character(UInt8(truncatingIfNeeded: value & 0x3F))
    }

    private static func character(_ sextet: UInt8) -> UInt8 {
        switch sextet {
        case 0..<26: 0x41 + sextet
        case 26..<52: 0x61 + sextet - 26
        case 52..<62: 0x30 + sextet - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

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
