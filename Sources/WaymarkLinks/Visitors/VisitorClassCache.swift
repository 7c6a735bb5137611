import WaymarkBytes

/// Caches the classes of recent visitors: most send one of a few User-Agents, and comparing is far cheaper than
/// classifying again.
///
/// Confined to one thread, like an event loop's handler. Has at most `slots` entries of at most `longest` bytes; on a
/// collision the newer one replaces the older, so visitors can't make it grow.
///
/// Safety: `entries` and `texts` are allocated in `init` and freed in `deinit`, and no pointer to them escapes. An
/// index is a hash masked below `slots`; the three values are copied and compared only if their sum is at most
/// `longest`, the size of one slot.
@safe
package final class VisitorClassCache {
    /// The lengths of one visitor's three values, and their class.
    private struct Slot {
        var hash: UInt64 = 0
        var userAgent: Int32 = -1
        var platformHint: Int16 = 0
        var mobileHint: Int16 = 0
        var kind: VisitorClass
    }

    package static let slots = 512
    package static let longest = 512

    // Plain data behind pointers: arrays in a class would cost exclusivity checks and reference counting on each visit.
    private let entries: UnsafeMutablePointer<Slot>
    /// `longest` bytes per slot: the three values, concatenated.
    private let texts: UnsafeMutableRawPointer
    private let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    package init() {
        unsafe entries = .allocate(capacity: Self.slots)
        unsafe entries.initialize(repeating: Slot(kind: UserAgent.classify("")), count: Self.slots)
        unsafe texts = .allocate(byteCount: Self.slots * Self.longest, alignment: 16)
    }

    deinit {
        unsafe entries.deallocate()
        unsafe texts.deallocate()
    }

    /// See `UserAgent.classify`.
    package func classify(
        _ userAgent: Span<UInt8>, platformHint: Span<UInt8> = Span<UInt8>(), mobileHint: Span<UInt8> = Span<UInt8>()
    ) -> VisitorClass {
        let hintCount = platformHint.count &+ mobileHint.count
        guard userAgent.count &+ hintCount <= Self.longest else {
            return UserAgent.classify(userAgent, platformHint: platformHint, mobileHint: mobileHint)
        }
        var hash = ByteHash(seeds: seeds)
        hash.add(userAgent)
        if hintCount > 0 {
            hash.add(platformHint)
            hash.add(mobileHint)
        }
        let number = Int(truncatingIfNeeded: hash.value) & (Self.slots &- 1)
        let slot = unsafe entries + number
        let text = unsafe texts + number &* Self.longest
        if unsafe slot.pointee.hash == hash.value, unsafe Int(slot.pointee.userAgent) == userAgent.count,
            unsafe Int(slot.pointee.platformHint) == platformHint.count,
            unsafe Int(slot.pointee.mobileHint) == mobileHint.count,
            unsafe ByteHash.areEqual(userAgent.bytes, text),
            unsafe hintCount == 0
                || (ByteHash.areEqual(platformHint.bytes, text + userAgent.count)
                    && ByteHash.areEqual(mobileHint.bytes, text + userAgent.count + platformHint.count))
        {
            return unsafe slot.pointee.kind
        }
        return unsafe read(userAgent, platformHint, mobileHint, hash.value, slot, text)
    }

    @inline(never)
    private func read(
        _ userAgent: Span<UInt8>, _ platformHint: Span<UInt8>, _ mobileHint: Span<UInt8>, _ hash: UInt64,
        _ slot: UnsafeMutablePointer<Slot>, _ text: UnsafeMutableRawPointer
    ) -> VisitorClass {
        let kind = UserAgent.classify(userAgent, platformHint: platformHint, mobileHint: mobileHint)
        // The three values fit, as checked above.
        var end = unsafe text
        for value in [Array(copying: userAgent), Array(copying: platformHint), Array(copying: mobileHint)] {
            unsafe value.withUnsafeBytes {
                unsafe end.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(end), byteCount: $0.count)
            }
            unsafe end += value.count
        }
        unsafe slot.pointee = Slot(
            hash: hash, userAgent: Int32(userAgent.count), platformHint: Int16(platformHint.count),
            mobileHint: Int16(mobileHint.count), kind: kind)
        return kind
    }
}

extension [UInt8] {
    fileprivate init(copying bytes: Span<UInt8>) {
        self = []
        reserveCapacity(bytes.count)
        for slot in bytes.indices { append(bytes[slot]) }
    }
}
