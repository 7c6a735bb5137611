import WaymarkHTTP
import WaymarkServer

/// The origin of the page that sends a request.
enum RequestOrigin {
    /// Whether the only Origin field names the origin that the request goes to.
    static func isOwn(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Bool {
        guard let origin = head.text(.origin, in: bytes), !head.isRepeated(.origin) else { return false }
        let port = head.port.map { ":\($0)" } ?? ""
        return origin.lowercased()
            == (peer.isSecure ? "https://" : "http://") + head.host.text(in: bytes).lowercased() + port
    }
}
