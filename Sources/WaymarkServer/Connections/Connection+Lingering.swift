import WaymarkHTTP
import WaymarkSockets

/// The lingering close (RFC 9112 section 9.6).
extension Connection {
    /// Shuts down writing and waits for the client to close its side (RFC 9112 section 9.6).
    func linger(_ now: CoarseInstant, total: Int64) {
        guard !hasPeerClosed, worker.beginLingering() else { return close() }
        transport?.closeWriting()
        SystemCall.shutdownWriting(descriptor)
        phase = .lingering
        transportInterest = .none
        input = []
        exchange = nil
        dropped = 0
        // Set in the past, so that the lingering close ends after `total`.
        phaseStart = now.advanced(by: total - worker.deadlines.lingerTotal)
    }

    func drop(_ now: CoarseInstant) {
        // unsafe because it reads into the loop's buffer, with its bounds; a transport no longer matters.
        let buffer = unsafe worker.room(at: 0, count: Worker.readSize)
        switch unsafe SystemCall.receive(descriptor, into: buffer) {
        case .processed(let count) where count > 0:
            dropped += count
            let elapsed = now.since(phaseStart)
            // In a drain the start is computed back from the end.
            let isTooSlow =
                !worker.isDraining && elapsed > worker.deadlines.lingerIdle
                && dropped < worker.bytesDue(after: elapsed, at: worker.limits.bodyRate)
            guard dropped <= worker.limits.lingerBytes, !isTooSlow else { return close() }
            settle(now)
        case .wouldBlock: break
        default: close()
        }
    }
}
