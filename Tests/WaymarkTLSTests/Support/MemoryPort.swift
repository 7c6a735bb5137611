import TLSTestSupport
import WaymarkTLS

/// The wire between a session and a `TestClient`, in memory, as narrow as a test wants it.
final class MemoryPort: CiphertextTransport {
    /// What the client has sent.
    var toServer: [UInt8] = []
    /// What the server has sent.
    var toClient: [UInt8] = []
    /// Bytes that one call of the session moves at most.
    var readLimit = Int.max
    var writeLimit = Int.max
    /// Bytes that `toClient` holds at most.
    var capacity = Int.max
    /// The client has ended its side.
    var isEnded = false
    private(set) var sends = 0

    func receive(into buffer: UnsafeMutableRawBufferPointer) -> CiphertextResult {
        guard !toServer.isEmpty else { return isEnded ? .moved(0) : .wouldBlock }
        let piece = toServer.prefix(min(buffer.count, readLimit))
        buffer.copyBytes(from: piece)
        toServer.removeFirst(piece.count)
        return .moved(piece.count)
    }

    func send(_ bytes: UnsafeRawBufferPointer) -> CiphertextResult {
        sends += 1
        let room = min(writeLimit, capacity - toClient.count)
        guard room > 0 else { return .wouldBlock }
        toClient.append(contentsOf: bytes.prefix(room))
        return .moved(min(room, bytes.count))
    }
}
