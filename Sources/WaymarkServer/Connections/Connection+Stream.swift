import WaymarkHTTP
import WaymarkSockets

/// Response bodies that are produced while they are sent.
extension Connection {
    /// Called before the head is written. The end of the body is that of the connection.
    func beginStream(_ source: any BodySource) {
        persistence = .close
        if isHead || exchange == nil { source.cancel() } else { exchange?.source = source }
    }

    /// Requests the next piece if the client has taken everything so far.
    func continueStream() {
        guard phase == .streaming, !output.isBlocked, let source = exchange?.source else { return }
        let loop = worker.loop
        Task {
            let piece = await source.next()
            loop.execute { self.send(piece) }
        }
    }

    private func send(_ piece: [UInt8]?) {
        // The client may have gone while the task ran.
        guard phase == .streaming else { return }
        let now = worker.beginTurn()
        guard let piece else {
            exchange?.source?.cancel()
            exchange = nil
            phase = .finishing
            return finishTurn(now)
        }
        worker.reply.append(piece)
        finishTurn(now)
        continueStream()
    }
}
