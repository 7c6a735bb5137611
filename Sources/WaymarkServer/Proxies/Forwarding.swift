import Synchronization
import WaymarkHTTP
import WaymarkSockets

/// What proxies say about a request in `Forwarded`, or in the `X-Forwarded-` fields. Nil members were not said.
struct Forwarding: Equatable {
    var address: IPAddress?
    var isSecure: Bool?
    var authority: RequestHead.HostAndPort?

    /// How reading one of the two kinds ended.
    enum Account {
        case absent
        /// Not to be believed, as a whole.
        case malformed
        case said(Forwarding)
    }

    /// `Forwarded` (RFC 7239). The proxies' elements are walked from the nearest on; the first whose client is no trusted
    /// proxy is the one that counts, and what stands ahead of it may have been made up.
    static func standard(_ head: RequestHead, _ bytes: Span<UInt8>, _ trusted: TrustedProxies) -> Account {
        guard head.value(.forwarded) != nil else { return .absent }
        guard let elements = ForwardedElement.all(in: head, bytes) else { return .malformed }
        var said = Forwarding()
        for element in elements.reversed() {
            guard let isTrusted = said.take(element, bytes, trusted) else { return .malformed }
            guard isTrusted else { break }
        }
        return elements.isEmpty ? .absent : .said(said)
    }

    /// Takes the place of what a nearer proxy said; gives whether the client is a trusted proxy in its turn, nil where
    /// the element says something impossible.
    private mutating func take(
        _ element: ForwardedElement, _ bytes: Span<UInt8>, _ trusted: TrustedProxies
    ) -> Bool? {
        var isTrusted = false
        if let client = element.client {
            guard let node = ForwardedNode(node: client, in: bytes) else { return nil }
            // Who hides behind a name is as far as the way can be followed; the address stays that of the nearest
            // proxy that is known.
            if case .address(let known) = node {
                address = known
                isTrusted = trusted.contains(known)
            }
        }
        if let scheme = element.scheme {
            let text = scheme.bytes(in: bytes)
            guard let isSecure = Self.isSecure(text.span) else { return nil }
            self.isSecure = isSecure
        }
        if let host = element.host {
            // A host needs no backslashes, so one that has some is none of the hosts that are served.
            guard !host.isEscaped, let authority = RequestHead.hostAndPort(bytes, host.range) else { return nil }
            self.authority = authority
        }
        return isTrusted
    }

    /// `X-Forwarded-For`, `-Proto` and `-Host`. The latter two are lists only where several proxies wrote them; one that
    /// has as many elements as there are addresses is read at the place of the address, any other at its end.
    static func common(_ head: RequestHead, _ bytes: Span<UInt8>, _ trusted: TrustedProxies) -> Account {
        guard head.holdsAny(of: commonFields) else { return .absent }
        var said = Forwarding()
        let clients = elements(of: .xForwardedFor, head, bytes)
        var index = clients.count
        while index > 0 {
            index -= 1
            guard let node = ForwardedNode(element: bytes.extracting(clients[index].indices)) else { return .malformed }
            guard case .address(let known) = node else { break }
            said.address = known
            guard trusted.contains(known) else { break }
        }
        func element(of field: RequestField) -> ByteRange? {
            let all = elements(of: field, head, bytes)
            return all.count == clients.count && !clients.isEmpty ? all[index] : all.last
        }
        if let scheme = element(of: .xForwardedProto) {
            guard let isSecure = isSecure(bytes.extracting(scheme.indices)) else { return .malformed }
            said.isSecure = isSecure
        }
        if let host = element(of: .xForwardedHost) {
            guard let authority = RequestHead.hostAndPort(bytes, host) else { return .malformed }
            said.authority = authority
        }
        return .said(said)
    }

    static let commonFields =
        RequestField.xForwardedFor.bit | RequestField.xForwardedProto.bit | RequestField.xForwardedHost.bit
    static let allFields = commonFields | RequestField.forwarded.bit

    private static func elements(of field: RequestField, _ head: RequestHead, _ bytes: Span<UInt8>) -> [ByteRange] {
        guard head.value(field) != nil else { return [] }
        var ranges: [ByteRange] = []
        for position in 0..<head.fieldCount {
            let line = head.field(at: position)
            guard line.known == field else { continue }
            // Quotes mean nothing here: one that the client sent must not swallow what the proxy appended.
            var start = line.value.start
            for end in line.value.start...line.value.end
            where end == line.value.end || bytes[Int(end)] == UInt8(ascii: ",") {
                let range = ByteRange(Int(start), Int(end)).trimmed(in: bytes)
                if !range.isEmpty { ranges.append(range) }
                start = end + 1
            }
        }
        return ranges
    }

    /// Nil for a scheme that is not of HTTP.
    private static func isSecure(_ scheme: Span<UInt8>) -> Bool? {
        func equals(_ name: String) -> Bool {
            guard scheme.count == name.utf8.count else { return false }
            for (index, byte) in name.utf8.enumerated() where scheme[index] | 0x20 != byte { return false }
            return true
        }
        if equals("https") { return true }
        return equals("http") ? false : nil
    }

    /// Whether any field says that the request was forwarded, no matter who wrote the field.
    static func isMentioned(in head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        if head.holdsAny(of: allFields | RequestField.via.bit | RequestField.xRealIP.bit) { return true }
        for position in 0..<head.fieldCount
        where head.field(at: position).known == nil && isXForwarded(head.field(at: position).name, bytes) {
            return true
        }
        return false
    }

    private static func isXForwarded(_ name: ByteRange, _ bytes: Span<UInt8>) -> Bool {
        let prefix = "x-forwarded-".utf8
        guard name.count > prefix.count else { return false }
        var index = Int(name.start)
        for byte in prefix {
            if bytes[index].lowercasedASCII != byte { return false }
            index += 1
        }
        return true
    }
}

extension TrustedProxies {
    /// Who asks, by the account of trusted proxies, whose fields may also say which host the client asked for: then the
    /// head's host and port become that.
    ///
    /// A field that is malformed counts as not there.
    ///
    /// - Parameters:
    ///   - peer: a trusted proxy.
    ///   - fields: the kind that is believed; of the other kind nothing is read.
    func client(
        behind peer: Peer, _ head: RequestHead, _ bytes: Span<UInt8>, believing fields: ForwardedFields = .either
    ) -> Peer {
        let isCommon = fields == .xForwarded || (fields == .either && head.holdsAny(of: Forwarding.commonFields))
        let account =
            isCommon ? Forwarding.common(head, bytes, self) : Forwarding.standard(head, bytes, self)
        let said: Forwarding? = if case .said(let said) = account { said } else { nil }
        if let authority = said?.authority { head.setAuthority(authority) }
        return Peer(
            address: said?.address ?? peer.address, role: peer.role, isSecure: said?.isSecure ?? peer.isSecure,
            isUnixSocket: said?.address == nil && peer.isUnixSocket, isForwarded: true, hasTrustedFields: true)
    }
}

/// Which of the two kinds of fields trusted proxies use to name their client. A proxy writes one kind and usually passes the
/// other on as its client sent it, so a request that has both is never read by both.
package enum ForwardedFields: String, Sendable, CaseIterable {
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`; where none of them is there, `Forwarded`.
    case either
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` only.
    case xForwarded = "x-forwarded"
    /// `Forwarded` (RFC 7239) only.
    case forwarded
}

/// Says once that requests come through a proxy that is not trusted.
final class UnknownProxy: Sendable {
    private let isKnown = Atomic<Bool>(false)
    private let report: (@Sendable () -> Void)?

    init(_ report: (@Sendable () -> Void)?) { self.report = report }

    func note() {
        guard let report, !isKnown.load(ordering: .relaxed) else { return }
        if !isKnown.exchange(true, ordering: .relaxed) { report() }
    }
}
