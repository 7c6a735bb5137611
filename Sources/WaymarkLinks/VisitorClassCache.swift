/// Remembers the classes of the visitors that came last: most bring one of a few User-Agents, and comparing one with
/// what was read before costs a fraction of reading it again.
///
/// Confined to one thread, as an event loop's handler is. Holds at most `places` of at most `longest` bytes each; of two
/// that fall on one place the later stays, so that no visitor can make it grow.
package struct VisitorClassCache {
    private struct Entry {
        var bytes: [UInt8]
        var hints: Hints
        var kind: VisitorClass
    }

    /// What the client hints say, as far as it is acted upon.
    private struct Hints: Equatable {
        var platform: UserAgentWord?
        var mobile: Bool?
    }

    private var entries: [Entry?]

    package static let places = 512
    package static let longest = 512

    package init() { entries = Array(repeating: nil, count: VisitorClassCache.places) }

    /// As `UserAgent.classify`.
    package mutating func classify(
        _ userAgent: Span<UInt8>, platformHint: Span<UInt8> = Span<UInt8>(), mobileHint: Span<UInt8> = Span<UInt8>()
    ) -> VisitorClass {
        let hints = Hints(platform: UserAgent.platform(platformHint), mobile: UserAgent.mobile(mobileHint))
        guard userAgent.count <= VisitorClassCache.longest else {
            return UserAgent.classify(userAgent, platform: hints.platform, mobile: hints.mobile)
        }
        let place = Int(
            truncatingIfNeeded: VisitorClassCache.hash(userAgent.bytes) & UInt64(VisitorClassCache.places - 1))
        if let entry = entries[place], entry.hints == hints,
            VisitorClassCache.areEqual(entry.bytes.span.bytes, userAgent.bytes)
        {
            return entry.kind
        }
        let kind = UserAgent.classify(userAgent, platform: hints.platform, mobile: hints.mobile)
        var bytes: [UInt8] = []
        bytes.reserveCapacity(userAgent.count)
        for place in userAgent.indices { bytes.append(userAgent[place]) }
        entries[place] = Entry(bytes: bytes, hints: hints, kind: kind)
        return kind
    }

    // Eight bytes a step, by unsafe unaligned loads, because a loop over bytes is what the cache is there to save. They are
    // sound: the span checks their bounds, and every bit pattern is a UInt64.

    /// Not keyed: the most that chosen collisions do is to have User-Agents read again.
    private static func hash(_ bytes: RawSpan) -> UInt64 {
        let factor: UInt64 = 0x9E37_79B9_7F4A_7C15
        var state = UInt64(truncatingIfNeeded: bytes.byteCount) &* factor
        var place = 0
        while place &+ 8 <= bytes.byteCount {
            state = (state ^ bytes.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)) &* factor
            state ^= state >> 29
            place &+= 8
        }
        while place < bytes.byteCount {
            state = (state ^ UInt64(bytes.unsafeLoad(fromByteOffset: place, as: UInt8.self))) &* factor
            place &+= 1
        }
        return state >> 32
    }

    /// Unsafe loads as above, sound because every offset is below both counts.
    private static func areEqual(_ one: RawSpan, _ other: RawSpan) -> Bool {
        guard one.byteCount == other.byteCount else { return false }
        var place = 0
        while place &+ 8 <= one.byteCount {
            guard
                one.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
                    == other.unsafeLoadUnaligned(fromByteOffset: place, as: UInt64.self)
            else { return false }
            place &+= 8
        }
        while place < one.byteCount {
            guard
                one.unsafeLoad(fromByteOffset: place, as: UInt8.self)
                    == other.unsafeLoad(fromByteOffset: place, as: UInt8.self)
            else { return false }
            place &+= 1
        }
        return true
    }
}
