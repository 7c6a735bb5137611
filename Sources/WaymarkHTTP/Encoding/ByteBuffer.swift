/// A growable FIFO buffer of output bytes: appended at the end, consumed from the start.
///
/// A class, because a buffer lives as long as its thread and is passed down through many calls. Isolation: confined
/// to the thread that owns it.
///
/// `@safe` because only this object has access to the memory, and every method keeps `start <= end <= capacity`.
@safe @usableFromInline
package final class ByteBuffer {
    @safe @usableFromInline
    struct State {
        @usableFromInline var base: UnsafeMutableRawPointer
        @usableFromInline var capacity: Int
        @usableFromInline var start = 0
        @usableFromInline var end = 0
    }

    // Accessed through a pointer, because stored properties of a class are checked for exclusivity at run time, which
    // cost more than all the copying. The safety comment of `unsafe` below covers every use.
    @usableFromInline let state: UnsafeMutablePointer<State>

    private var base: UnsafeMutableRawPointer {
        get { unsafe state.pointee.base }
        set { unsafe state.pointee.base = newValue }
    }

    /// Bytes of memory, including those already consumed.
    package private(set) var capacity: Int {
        get { unsafe state.pointee.capacity }
        set { unsafe state.pointee.capacity = newValue }
    }

    @inlinable var start: Int {
        get { unsafe state.pointee.start }
        set { unsafe state.pointee.start = newValue }
    }

    @inlinable var end: Int {
        get { unsafe state.pointee.end }
        set { unsafe state.pointee.end = newValue }
    }

    /// - Parameter capacity: initial allocation in bytes; at least 64.
    package init(capacity: Int = 4_096) {
        let capacity = max(capacity, 64)
        // unsafe because the memory is managed manually: freed in deinit, and in `makeRoom` when it is replaced.
        unsafe state = .allocate(capacity: 1)
        unsafe state.initialize(
            to: State(base: .allocate(byteCount: capacity, alignment: 16), capacity: capacity))
    }

    deinit {
        // unsafe because the memory is managed manually: no reference to it is left.
        unsafe base.deallocate()
        unsafe state.deallocate()
    }

    /// Number of bytes in the buffer.
    @inlinable package var count: Int { end &- start }
    @inlinable package var isEmpty: Bool { start == end }

    /// Makes room for `count` more bytes.
    package func reserve(_ count: Int) {
        if capacity &- end < count { makeRoom(count) }
    }

    package func append(_ byte: UInt8) {
        reserve(1)
        // unsafe because it writes through a pointer; `reserve` has made room for the byte.
        unsafe base.storeBytes(of: byte, toByteOffset: end, as: UInt8.self)
        end &+= 1
    }

    package func append(_ bytes: Span<UInt8>) {
        // unsafe because a pointer is lent; it is used only during the call.
        unsafe bytes.withUnsafeBytes { unsafe append(copying: $0) }
    }

    package func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    package func append(_ text: StaticString) {
        // unsafe because a StaticString exposes its bytes only as a pointer; they are constants of the program.
        unsafe append(copying: UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    package func append(_ text: String) {
        var text = text
        text.withUTF8 { bytes in
            // unsafe because a pointer is lent; it is used only during the call.
            unsafe append(copying: UnsafeRawBufferPointer(bytes))
        }
    }

    /// Appends a number in decimal digits.
    package func append(decimal number: UInt64) {
        // 2^64 has 20 digits.
        reserve(20)
        var divisor: UInt64 = 1
        while number / divisor >= 10 { divisor &*= 10 }
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: number / divisor % 10) &+ 0x30)
            divisor /= 10
        }
    }

    /// Appends the output of `fill`, which gets at least `minimum` bytes of room and returns how many it wrote.
    package func append(minimum: Int, filledBy fill: (UnsafeMutableRawBufferPointer) -> Int) {
        reserve(minimum)
        // unsafe because a pointer is lent; the precondition below checks that `fill` stays within the room.
        let room = unsafe UnsafeMutableRawBufferPointer(start: base + end, count: capacity &- end)
        let written = unsafe fill(room)
        precondition(written >= 0 && written <= room.count, "more was written than there was room for")
        end &+= written
    }

    /// Appends exactly `count` bytes; unsafe because `fill` must write all of them.
    @unsafe @inline(__always)
    func append(count: Int, filledBy fill: (UnsafeMutableRawPointer) -> Void) {
        reserve(count)
        // unsafe because a pointer is lent, after which `reserve` has made room for that many bytes.
        unsafe fill(base + end)
        end &+= count
    }

    /// Removes `count` bytes from the end.
    func removeLast(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "fewer bytes than that are there")
        end &-= count
    }

    /// Removes `count` bytes from the start.
    ///
    /// - Precondition: the buffer has that many.
    @inlinable
    package func removeFirst(_ count: Int) {
        precondition(count >= 0 && count <= self.count, "fewer bytes than that are there")
        start &+= count
        if start == end { removeAll() }
    }

    /// Removes all bytes; keeps the memory.
    @inlinable
    package func removeAll() {
        start = 0
        end = 0
    }

    /// Lends the bytes for a system call; the pointer must not be stored.
    @inlinable @inline(__always)
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        // unsafe because a pointer is lent; all bytes between start and end have been written.
        let state = unsafe state.pointee
        return unsafe try body(UnsafeRawBufferPointer(start: state.base + state.start, count: state.end &- state.start))
    }

    /// A copy of the bytes.
    package var bytes: [UInt8] {
        // unsafe because a pointer is lent; the copy is made before the call returns.
        unsafe withBytes { unsafe [UInt8]($0) }
    }

    private func append(copying bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        reserve(bytes.count)
        // unsafe because it copies through pointers; `reserve` has made room, and the source never overlaps this
        // memory.
        unsafe (base + end).copyMemory(from: source, byteCount: bytes.count)
        end &+= bytes.count
    }

    @inline(never)
    private func makeRoom(_ needed: Int) {
        let held = count
        let wanted = held + needed
        if wanted <= capacity && start >= held {
            // unsafe because it copies through pointers; both ranges lie in the same memory and do not overlap.
            unsafe base.copyMemory(from: base + start, byteCount: held)
        } else {
            let size = max(capacity * 2, wanted)
            // unsafe because the memory is managed manually: the old block is freed here, after its bytes have been
            // copied.
            let grown = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 16)
            unsafe grown.copyMemory(from: base + start, byteCount: held)
            unsafe base.deallocate()
            unsafe base = grown
            capacity = size
        }
        start = 0
        end = held
    }
}
