import WaymarkHTTP
import WaymarkLinks

/// The host that a visit arrives at.
enum VisitHost {
    /// Nil where it can't be anybody's. HTTP/1.0 clients that name no host are served as `localhost` is.
    static func name(_ head: RequestHead, _ bytes: Span<UInt8>) -> HostName? {
        head.host.isEmpty ? HostName("localhost") : HostName(head.host.text(in: bytes))
    }
}
