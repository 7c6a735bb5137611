internal import CWaymarkOpenSSL

/// OpenSSL's way to `CiphertextBuffers`: a kind of BIO of our own, so that records are read from and written to a
/// thread's buffers with one copy and no system call.
enum BufferBIO {
    /// A BIO on the buffers, which have to outlive it. Nil where memory is out.
    static func make(on buffers: CiphertextBuffers) -> OpaquePointer? {
        // unsafe because a C object is made, which the caller owns, and an address kept in it, as said above.
        guard let method = unsafe method, let bio = unsafe BIO_new(method) else { return nil }
        unsafe BIO_set_data(bio, buffers.state)
        unsafe BIO_set_init(bio, 1)
        return unsafe bio
    }

    /// Made once and never freed. `nonisolated(unsafe)` because a pointer is not known to be safe to share; this one is
    /// only read after it has been made.
    private nonisolated(unsafe) static let method: OpaquePointer? = {
        // unsafe because a C object is made and filled with functions.
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
            // unsafe because OpenSSL hands over its memory with its size, and ours is read within its bounds.
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
            // unsafe because OpenSSL hands over its memory with its size; ours is made large enough before.
            guard let address = unsafe BIO_get_data(bio), let source = unsafe source else { return 0 }
            let state = unsafe address.assumingMemoryBound(to: CiphertextBuffers.State.self)
            let start = unsafe state.pointee.outgoingCount
            if unsafe start + count > state.pointee.outgoingCapacity { unsafe grow(state, to: start + count) }
            unsafe (state.pointee.outgoing + start).copyMemory(from: source, byteCount: count)
            unsafe state.pointee.outgoingCount = start + count
            unsafe moved?.pointee = count
            return 1
        }

    /// Flushing has nothing to do here; of everything else (kernel TLS, end of the stream) the answer is no.
    private static let control: @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
        _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0
    }

    /// A session encrypts a bounded amount in a turn, so this ends early: with a long chain of certificates, say.
    private static func grow(_ state: UnsafeMutablePointer<CiphertextBuffers.State>, to minimum: Int) {
        // unsafe because the memory is replaced: what was written moves along, and the old one is freed here only.
        let capacity = unsafe max(minimum, state.pointee.outgoingCapacity * 2)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        unsafe larger.copyMemory(from: state.pointee.outgoing, byteCount: state.pointee.outgoingCount)
        unsafe state.pointee.outgoing.deallocate()
        unsafe state.pointee.outgoing = larger
        unsafe state.pointee.outgoingCapacity = capacity
    }
}
