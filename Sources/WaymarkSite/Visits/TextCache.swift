import WaymarkBytes
import WaymarkLinks

/// Remembers what was read from the texts that came last, for header fields that most visitors send alike.
///
/// Generic, and so in the module that uses it: in another one each look-up would first look for its type.
///
/// Confined to one thread, as an event loop's handler is. Holds at most `slots` texts of at most `longest` bytes; of two
/// that fall on one place the later stays, so that no visitor can make it grow.
///
/// Safety: `entries` and `texts` are allocated in `init` and freed in `deinit`, and nobody else sees them. An index is a hash
/// masked below `slots`; a text is copied and compared only where it has at most `longest` bytes, the size of one place.
@safe
final class TextCache<Value> {
    private struct Slot {
        var hash: UInt64 = 0
        /// Of the text; below zero where there is none.
        var count = -1
        var value: Value?
    }

    static var slots: Int { 256 }
    static var longest: Int { 256 }

    // Plain data behind pointers, as in `VisitorClassCache`.
    private let entries: UnsafeMutablePointer<Slot>
    private let texts: UnsafeMutableRawPointer
    private let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    init() {
        unsafe entries = .allocate(capacity: Self.slots)
        unsafe entries.initialize(repeating: Slot(), count: Self.slots)
        unsafe texts = .allocate(byteCount: Self.slots * Self.longest, alignment: 16)
    }

    deinit {
        unsafe entries.deinitialize(count: Self.slots)
        unsafe entries.deallocate()
        unsafe texts.deallocate()
    }

    /// What `read` made of the text when it came first; of a longer one, what it makes of it now.
    func value(of text: Span<UInt8>, read: () -> Value) -> Value {
        guard text.count <= Self.longest else { return read() }
        var hash = ByteHash(seeds: seeds)
        hash.add(text)
        let number = Int(truncatingIfNeeded: hash.value) & (Self.slots &- 1)
        let slot = unsafe entries + number
        let kept = unsafe texts + number &* Self.longest
        if unsafe slot.pointee.hash == hash.value, unsafe slot.pointee.count == text.count,
            let value = unsafe slot.pointee.value,
            unsafe ByteHash.areEqual(text.bytes, kept)
        {
            return value
        }
        let value = read()
        for index in text.indices { unsafe kept.storeBytes(of: text[index], toByteOffset: index, as: UInt8.self) }
        unsafe slot.pointee = Slot(hash: hash.value, count: text.count, value: value)
        return value
    }
}
