import WaymarkBytes
import WaymarkLinks

/// Caches values parsed from recent texts, for header fields that are the same for most visitors.
///
/// Generic, and so in the module that uses it: calls across modules would look up the type's metadata each time.
///
/// Confined to one thread, like an event loop's handler. Holds at most `slots` texts of at most `longest` bytes, so that
/// visitors can't make it grow. A text has one of the four slots of a set: with one slot each, two of a few frequent texts
/// would often replace each other. A new one replaces those of its set in turn.
///
/// Safety: `entries` and `texts` are allocated in `init`, freed in `deinit`, and private. An index is a hash masked
/// below `slots`; a text is copied and compared only if it has at most `longest` bytes, the size of one slot.
@safe
final class TextCache<Value> {
    private struct Slot {
        var hash: UInt64 = 0
        /// The length of the text; negative for a free slot.
        var count = -1
        var value: Value?
    }

    static var slots: Int { 256 }
    private static var ways: Int { 4 }
    static var longest: Int { 256 }

    // Plain data behind pointers, as in `VisitorClassCache`.
    private let entries: UnsafeMutablePointer<Slot>
    private let texts: UnsafeMutableRawPointer
    private var turn = 0
    private let seeds: (UInt64, UInt64)

    init(seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))) {
        self.seeds = seeds
        unsafe entries = .allocate(capacity: Self.slots)
        unsafe entries.initialize(repeating: Slot(), count: Self.slots)
        unsafe texts = .allocate(byteCount: Self.slots * Self.longest, alignment: 16)
    }

    deinit {
        unsafe entries.deinitialize(count: Self.slots)
        unsafe entries.deallocate()
        unsafe texts.deallocate()
    }

    /// The cached result of `read` for this text; longer texts are read each time.
    func value(of text: Span<UInt8>, read: () -> Value) -> Value {
        guard text.count <= Self.longest else { return read() }
        var hash = ByteHash(seeds: seeds)
        hash.add(text)
        let first = Int(truncatingIfNeeded: hash.value) & (Self.slots &- Self.ways)
        for number in first..<(first &+ Self.ways) {
            let slot = unsafe entries + number
            if unsafe slot.pointee.hash == hash.value, unsafe slot.pointee.count == text.count,
                let value = unsafe slot.pointee.value,
                unsafe ByteHash.areEqual(text.bytes, texts + number &* Self.longest)
            {
                return value
            }
        }
        turn = (turn &+ 1) & (Self.ways &- 1)
        // Those of a set are filled before one is replaced.
        let free = (first..<(first &+ Self.ways)).first { unsafe entries[$0].count < 0 }
        let number = free ?? first &+ turn
        let (slot, kept) = unsafe (entries + number, texts + number &* Self.longest)
        let value = read()
        for index in text.indices { unsafe kept.storeBytes(of: text[index], toByteOffset: index, as: UInt8.self) }
        unsafe slot.pointee = Slot(hash: hash.value, count: text.count, value: value)
        return value
    }
}
