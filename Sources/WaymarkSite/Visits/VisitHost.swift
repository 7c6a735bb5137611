import WaymarkHTTP
import WaymarkLinks

/// The host of a visit.
enum VisitHost {
    /// Nil if it is invalid. HTTP/1.0 clients without a host are treated as visitors of `localhost`.
    static func name(_ head: RequestHead, _ bytes: Span<UInt8>) -> HostName? {
        head.host.isEmpty ? HostName("localhost") : HostName(head.host.text(in: bytes))
    }
}
