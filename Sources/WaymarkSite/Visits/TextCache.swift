import WaymarkLinks

/// Remembers what was read from the texts that came last, for header fields that most visitors send alike.
///
/// Generic, and so in the module that uses it: in another one each look-up would first look for its type.
///
/// Confined to one thread, as an event loop's handler is. Holds at most `places` texts of at most `longest` bytes; of two
/// that fall on one place the later stays, so that no visitor can make it grow.
///
/// Safety: `entries` and `texts` are allocated in `init` and freed in `deinit`, and nobody else sees them. An index is a hash
/// masked below `places`; a text is copied and compared only where it has at most `longest` bytes, the size of one place.
@safe
final class TextCache<Value> {
    private struct Place {
        var hash: UInt64 = 0
        /// Of the text; below zero where there is none.
        var count = -1
        var value: Value?
    }

    static var places: Int { 256 }
    static var longest: Int { 256 }

    // Plain data behind pointers, as in `VisitorClassCache`.
    private let entries: UnsafeMutablePointer<Place>
    private let texts: UnsafeMutableRawPointer
    private let seeds: (UInt64, UInt64) = (.random(in: .min ... .max), .random(in: .min ... .max))

    init() {
        unsafe entries = .allocate(capacity: Self.places)
        unsafe entries.initialize(repeating: Place(), count: Self.places)
        unsafe texts = .allocate(byteCount: Self.places * Self.longest, alignment: 16)
    }

    deinit {
        unsafe entries.deinitialize(count: Self.places)
        unsafe entries.deallocate()
        unsafe texts.deallocate()
    }

    /// What `read` made of the text when it came first; of a longer one, what it makes of it now.
    func value(of text: Span<UInt8>, read: () -> Value) -> Value {
        guard text.count <= Self.longest else { return read() }
        var hash = ByteHash(seeds: seeds)
        hash.add(text)
        let number = Int(truncatingIfNeeded: hash.value) & (Self.places &- 1)
        let place = unsafe entries + number
        let kept = unsafe texts + number &* Self.longest
        if unsafe place.pointee.hash == hash.value, unsafe place.pointee.count == text.count,
            let value = unsafe place.pointee.value,
            unsafe ByteHash.areEqual(text.bytes, kept)
        {
            return value
        }
        let value = read()
        for index in text.indices { unsafe kept.storeBytes(of: text[index], toByteOffset: index, as: UInt8.self) }
        unsafe place.pointee = Place(hash: hash.value, count: text.count, value: value)
        return value
    }
}
