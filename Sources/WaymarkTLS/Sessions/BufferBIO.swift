internal import CWaymarkOpenSSL

/// Connects OpenSSL to `CiphertextBuffers`: a custom BIO type, so that records are read from and written to a
/// thread's buffers with one copy and no system call.
enum BufferBIO {
    /// A BIO on the buffers, which must outlive it. Nil if out of memory.
    static func make(on buffers: CiphertextBuffers) -> OpaquePointer? {
        // unsafe because a C object is made, which the caller owns, and stores an address, as described above.
        guard let method = unsafe method, let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, buffers.state)
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Made once and never freed. `nonisolated(unsafe)` because a pointer is not Sendable; this one is only read
    /// after it has been made.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        // unsafe because a C object is made and its function pointers are set.
        let kind = BIO_get_new_index() | BIO_TYPE_SOURCE_SINK
        guard let method = unsafe BIO_meth_new(kind, "waymark buffers") else { return nil }
        unsafe BIO_meth_set_read_ex(method, read)
        unsafe BIO_meth_set_write_ex(method, write)
        unsafe BIO_meth_set_ctrl(method, control)
        return unsafe method
    }()

    private static let read:
        @convention(c) (OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32 = {
            bio, target, wanted, moved in
            // unsafe because OpenSSL passes its memory with its size, and ours is read within its bounds.
            guard let address = unsafe BIO_get_data(bio), let target = unsafe target else { return 0 }
            let state = unsafe address.assumingMemoryBound(to: CiphertextBuffers.State.self)
            let start = unsafe state.pointee.start
            let count = min(wanted, unsafe state.pointee.end - start)
            guard count > 0 else {
                unsafe CWaymarkOpenSSL_setRetryRead(bio)
                return 0
            }
            unsafe UnsafeMutableRawPointer(target).copyMemory(from: state.pointee.incoming + start, byteCount: count)
            unsafe state.pointee.start = start + count
            unsafe moved?.pointee = count
            return 1
        }

    private static let write:
        @convention(c) (OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?) -> Int32 = {
            bio, source, count, moved in
            // unsafe because OpenSSL passes its memory with its size; ours is grown first if needed.
            guard let address = unsafe BIO_get_data(bio), let source = unsafe source else { return 0 }
            let state = unsafe address.assumingMemoryBound(to: CiphertextBuffers.State.self)
            let start = unsafe state.pointee.outgoingCount
            if unsafe start + count > state.pointee.outgoingCapacity { unsafe grow(state, to: start + count) }
            unsafe (state.pointee.outgoing + start).copyMemory(from: source, byteCount: count)
            unsafe state.pointee.outgoingCount = start + count
            unsafe moved?.pointee = count
            return 1
        }

    /// Flushing does nothing here; everything else (kernel TLS, end of the stream) is unsupported.
    private static let control: @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
        _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0
    }

    /// A session encrypts a bounded amount per turn, so growth is bounded; a long chain of certificates is one cause.
    private static func grow(_ state: UnsafeMutablePointer<CiphertextBuffers.State>, to minimum: Int) {
        // unsafe because the memory is replaced: its content is moved, and the old block is freed only here.
        let capacity = unsafe max(minimum, state.pointee.outgoingCapacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: state.pointee.outgoing, byteCount: state.pointee.outgoingCount)
        unsafe state.pointee.outgoing.deallocate()
        unsafe state.pointee.outgoing = larger
        unsafe state.pointee.outgoingCapacity = capacity
    }
}
