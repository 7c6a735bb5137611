import WaymarkHTTP
import WaymarkSockets

/// Sending responses.
extension Connection {
    /// Bodies up to this size are copied after their heads, so that both leave in one call; larger ones are sent from
    /// their own memory.
    private static let copiedBody = 16_384
    /// Maximum number of file bytes sent in one turn.
    private static let fileBytesPerTurn = 1 << 20
    private static let filePiece = 1 << 18
    /// Limit of the kernel's buffer of unsent bytes, for slow clients.
    static let unsentBytes: Int32 = 1 << 17

    /// Writes a response into the loop's reply buffer; a large body becomes pending output.
    func write(_ response: Response) {
        let count = response.body.count
        var length: UInt64? = UInt64(count)
        if response.status.code == 304 { length = nil }
        if case .stream(let stream) = response.body {
            length = nil
            beginStream(stream.source)
        }
        ResponseHead(status: response.status, fields: response.fields, contentLength: length)
            .append(to: worker.reply, date: worker.dateLine, persistence: persistence)
        if transport != nil { appendSecurityLine() }
        if !requestID.isEmpty { ResponseHead.append(line: RequestIDs.line(requestID), to: worker.reply) }
        worker.counters.requests.count(Int(response.status.code), route: route)
        if isHead || count == 0 || response.status.forbidsBody { return }
        if case .bytes(let bytes) = response.body, count <= Self.copiedBody {
            worker.reply.append(bytes)
        } else {
            output.body = response.body
            output.bodyOffset = 0
        }
    }

    /// Adds the Strict-Transport-Security line to the head that was written last.
    func appendSecurityLine() {
        let line = worker.securityLine
        if !line.isEmpty { ResponseHead.append(line: line, to: worker.reply) }
    }

    /// Sends as much as the client takes. Moves the rest of the loop's reply buffer to the connection.
    // Inlined down to `send`, because the processor mispredicts each return after a system call
    // (docs/decisions/2026-11-23-inlined-across-targets.md).
    @inline(__always)
    func flush() {
        guard phase != .closed else { return }
        guard output.isBlocked else {
            _ = flushReply()
            return
        }
        flushPending()
    }

    @inline(never)
    private func flushPending() {
        if flushBytes(), flushReply(), flushBody() { output = PendingOutput() }
    }

    /// Sends bytes that are pending from earlier turns; false if some are left or the connection is closed.
    private func flushBytes() -> Bool {
        while output.offset < output.bytes.count {
            // unsafe because a pointer to the unsent bytes is lent for the call.
            let result = unsafe output.bytes.withUnsafeBytes { bytes in
                unsafe send(UnsafeRawBufferPointer(rebasing: bytes[output.offset...]), isMoreBehind: false)
            }
            guard let count = result else { return false }
            output.offset += count
        }
        output.bytes = []
        output.offset = 0
        return true
    }

    @inline(__always)
    private func flushReply() -> Bool {
        // unsafe because the reference is not counted; the worker owns the buffer.
        unsafe worker.borrowedReply._withUnsafeGuaranteedRef { flush($0) }
    }

    @inline(__always)
    private func flush(_ reply: ByteBuffer) -> Bool {
        let isBodyBehind = if case .none = output.body { false } else { true }
        while !reply.isEmpty {
            // unsafe because a pointer is lent for the call.
            let isLast = phase == .finishing && !isBodyBehind
            let result = unsafe reply.withBytes { unsafe send($0, isMoreBehind: isBodyBehind, isLast: isLast) }
            guard let count = result else {
                guard phase != .closed else { return false }
                output.bytes = reply.bytes
                reply.removeAll()
                return false
            }
            reply.removeFirst(count)
        }
        return true
    }

    private func flushBody() -> Bool {
        let body = output.body
        let total = body.count
        var sent = 0
        // Counted from the start: a slow client may take longer than the stall limit for the bytes that the kernel
        // accepts in one turn.
        if output.bodyOffset == 0, total > Self.unsentBytes {
            SystemCall.boundUnsentBytes(descriptor, to: Self.unsentBytes)
        }
        while true {
            let result: Int?
            switch body.rest(at: output.bodyOffset) {
            case .nothing: return true
            case .bytes(let bytes, let start):
                let isMoreBehind = total - output.bodyOffset > bytes.count - start
                // unsafe because a pointer to the unsent bytes is lent for the call.
                result = unsafe bytes.withUnsafeBytes { bytes in
                    unsafe send(UnsafeRawBufferPointer(rebasing: bytes[start...]), isMoreBehind: isMoreBehind)
                }
            case .file(let file, let range):
                // Lets other connections run: the rest is sent when the socket is reported writable again.
                if sent >= Self.fileBytesPerTurn { return pend() }
                let wanted = range.prefix(Self.filePiece)
                let isMoreBehind = wanted.upperBound < range.upperBound
                result =
                    transport == nil
                    ? sendPlain(file, wanted, isMoreBehind: isMoreBehind) : sendThroughTransport(file, wanted)
                sent += result ?? 0
            }
            guard let count = result else { return false }
            output.bodyOffset += count
        }
    }

    private func sendPlain(_ file: OpenFile, _ range: Range<Int>, isMoreBehind: Bool) -> Int? {
        if let program = file.program {
            // unsafe because the bytes are lent for the call.
            return unsafe program.withBytes(range) { unsafe send($0, isMoreBehind: isMoreBehind) }
        }
        switch SystemCall.sendFile(descriptor, from: file.number, offset: range.lowerBound, count: range.count) {
        case .processed(let count) where count > 0: return progressed(count)
        case .wouldBlock:
            _ = pend()
        // Zero bytes: the file is now shorter than the Content-Length already sent, and nothing can replace the
        // missing bytes.
        default: close()
        }
        return nil
    }

    private func sendThroughTransport(_ file: OpenFile, _ range: Range<Int>) -> Int? {
        // unsafe because the file is read into memory that is lent for this call.
        let size = min(range.count, Self.copiedBody)
        return unsafe withUnsafeTemporaryAllocation(byteCount: size, alignment: 16) { buffer in
            guard let count = unsafe file.read(at: range.lowerBound, into: buffer), count > 0 else {
                close()
                return nil
            }
            return unsafe send(UnsafeRawBufferPointer(rebasing: buffer[..<count]), isMoreBehind: false)
        }
    }

    /// Sends once. Nil if nothing was sent: then output is pending, or the connection is closed.
    @inline(__always)
    private func send(_ bytes: UnsafeRawBufferPointer, isMoreBehind: Bool, isLast: Bool = false) -> Int? {
        // unsafe because it passes on a buffer with its bounds.
        if let transport { return unsafe send(bytes, through: transport, isLast: isLast) }
        switch unsafe SystemCall.send(descriptor, bytes, more: isMoreBehind) {
        case .processed(let count): return progressed(count)
        case .wouldBlock: _ = pend()
        case .failed: close()
        }
        return nil
    }

    @inline(never)
    private func send(_ bytes: UnsafeRawBufferPointer, through transport: any Transport, isLast: Bool) -> Int? {
        // unsafe because it passes on a buffer with its bounds.
        switch unsafe transport.send(bytes, isLast: isLast) {
        case .done(let count): return progressed(count)
        case .wantsRead: transportInterest = .read
        case .wantsWrite: transportInterest = .write
        case .plaintext, .failed:
            close()
            return nil
        }
        _ = pend()
        return nil
    }

    @inline(__always)
    private func progressed(_ count: Int) -> Int {
        ServerCounters.add(count, to: worker.counters.bytesSent)
        if transport != nil { transportInterest = .none }
        if output.began < .distantFuture {
            output.progress = worker.loop.now
            output.taken += count
        }
        return count
    }

    /// Records that the client takes no more for now; closes the connection if it has been too slow for too long.
    private func pend() -> Bool {
        let now = worker.loop.now
        if output.began == .distantFuture {
            output.began = now
            output.progress = now
            output.taken = 0
            // Set again, for systems on which connections don't inherit it from their listener. By default the kernel
            // buffers megabytes and reports the socket writable only when a third of them is sent: a slow client
            // would cost that much memory, and look like one that reads nothing.
            SystemCall.boundUnsentBytes(descriptor, to: Self.unsentBytes)
        }
        let elapsed = now.since(output.began)
        if elapsed > worker.deadlines.writeStall,
            output.taken < worker.bytesDue(after: elapsed, at: worker.limits.writeRate)
        {
            close()
        }
        return false
    }
}

/// Output that the client has not taken yet. Almost always empty, and then without memory of its own.
///
/// It never holds more than one turn's small responses and one body, because a connection with pending output neither
/// reads nor answers requests.
struct PendingOutput {
    /// Copied from the loop's reply buffer.
    var bytes: [UInt8] = []
    /// Number of sent bytes of `bytes`.
    var offset = 0
    /// The body after `bytes`.
    var body = ResponseBody.none
    /// Number of sent bytes of `body`.
    var bodyOffset = 0
    /// When output became pending.
    var began = CoarseInstant.distantFuture
    /// When the client last took bytes.
    var progress = CoarseInstant.distantFuture
    /// Bytes taken since `began`.
    var taken = 0

    var isBlocked: Bool {
        if !bytes.isEmpty { return true }
        if case .none = body { return false }
        return true
    }
}
