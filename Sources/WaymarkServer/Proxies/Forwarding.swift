import Synchronization
import WaymarkBytes
import WaymarkHTTP
import WaymarkSockets

/// The contents of a request's `Forwarded` or `X-Forwarded-` fields. Members are nil if absent.
struct Forwarding: Equatable {
    var address: IPAddress?
    var isSecure: Bool?
    var authority: RequestHead.HostAndPort?

    /// The result of reading one of the two kinds of fields.
    enum Account {
        case absent
        /// Ignored as a whole.
        case malformed
        case forwarding(Forwarding)
    }

    /// `Forwarded` (RFC 7239). The elements are walked from the nearest proxy on; the first whose client is not a
    /// trusted proxy counts, because the elements before it may be forged.
    static func standard(_ head: RequestHead, _ bytes: Span<UInt8>, _ trusted: TrustedProxies) -> Account {
        guard head.value(.forwarded) != nil else { return .absent }
        guard let elements = ForwardedElement.all(in: head, bytes) else { return .malformed }
        var forwarding = Forwarding()
        for element in elements.reversed() {
            guard let isTrusted = forwarding.take(element, bytes, trusted) else { return .malformed }
            guard isTrusted else { break }
        }
        return elements.isEmpty ? .absent : .forwarding(forwarding)
    }

    /// Replaces the values of a nearer proxy. Returns whether the client is a trusted proxy too; nil if the element
    /// is invalid.
    private mutating func take(
        _ element: ForwardedElement, _ bytes: Span<UInt8>, _ trusted: TrustedProxies
    ) -> Bool? {
        var isTrusted = false
        if let client = element.client {
            guard let node = ForwardedNode(node: client, in: bytes) else { return nil }
            // An obfuscated client ends the walk; the address remains that of the nearest known proxy.
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
            // A host needs no backslashes, so an escaped one can't be one of the served hosts.
            guard !host.isEscaped, let authority = RequestHead.hostAndPort(bytes, host.range) else { return nil }
            self.authority = authority
        }
        return isTrusted
    }

    /// `X-Forwarded-For`, `-Proto` and `-Host`. The latter two are lists only if several proxies wrote them: a list
    /// with as many elements as there are addresses is read at the index of the address, any other at its end.
    static func common(_ head: RequestHead, _ bytes: Span<UInt8>, _ trusted: TrustedProxies) -> Account {
        guard head.holdsAny(of: commonFields) else { return .absent }
        var forwarding = Forwarding()
        let clients = elements(of: .xForwardedFor, head, bytes)
        var index = clients.count
        while index > 0 {
            index -= 1
            guard let node = ForwardedNode(element: bytes.extracting(clients[index].indices)) else { return .malformed }
            guard case .address(let known) = node else { break }
            forwarding.address = known
            guard trusted.contains(known) else { break }
        }
        func element(of field: RequestField) -> ByteRange? {
            let all = elements(of: field, head, bytes)
            return all.count == clients.count && !clients.isEmpty ? all[index] : all.last
        }
        if let scheme = element(of: .xForwardedProto) {
            guard let isSecure = isSecure(bytes.extracting(scheme.indices)) else { return .malformed }
            forwarding.isSecure = isSecure
        }
        if let host = element(of: .xForwardedHost) {
            guard let authority = RequestHead.hostAndPort(bytes, host) else { return .malformed }
            forwarding.authority = authority
        }
        return .forwarding(forwarding)
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
            // Quotes have no meaning here: one sent by the client must not swallow what the proxy appended.
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

    /// Nil for schemes other than http and https.
    private static func isSecure(_ scheme: Span<UInt8>) -> Bool? {
        func equals(_ name: String) -> Bool {
            guard scheme.count == name.utf8.count else { return false }
            for (index, byte) in name.utf8.enumerated() where scheme[index] | 0x20 != byte { return false }
            return true
        }
        if equals("https") { return true }
        return equals("http") ? false : nil
    }

    /// Whether any field marks the request as forwarded, whoever wrote it.
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
    /// The client as named by trusted proxies. Their fields may also name the host that the client requested, which
    /// then replaces the head's host and port.
    ///
    /// A malformed field is treated as absent.
    ///
    /// - Parameters:
    ///   - peer: a trusted proxy.
    ///   - fields: the kind to read; the other kind is ignored.
    func client(
        behind peer: Peer, _ head: RequestHead, _ bytes: Span<UInt8>, believing fields: ForwardedFields = .either
    ) -> Peer {
        let isCommon = fields == .xForwarded || (fields == .either && head.holdsAny(of: Forwarding.commonFields))
        let account =
            isCommon ? Forwarding.common(head, bytes, self) : Forwarding.standard(head, bytes, self)
        let forwarding: Forwarding? = if case .forwarding(let forwarding) = account { forwarding } else { nil }
        if let authority = forwarding?.authority { head.setAuthority(authority) }
        return Peer(
            address: forwarding?.address ?? peer.address, role: peer.role,
            isSecure: forwarding?.isSecure ?? peer.isSecure,
            isUnixSocket: forwarding?.address == nil && peer.isUnixSocket, isForwarded: true, hasTrustedFields: true)
    }
}

/// Which of the two kinds of fields trusted proxies use to name their client. A proxy writes one kind and usually
/// passes the other on as the client sent it, so a request that has both is never read by both.
package enum ForwardedFields: String, Sendable, CaseIterable {
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host`; if all are absent, `Forwarded`.
    case either
    /// `X-Forwarded-For`, `X-Forwarded-Proto` and `X-Forwarded-Host` only.
    case xForwarded = "x-forwarded"
    /// `Forwarded` (RFC 7239) only.
    case forwarded
}

/// Reports once that requests come through an untrusted proxy.
final class UnknownProxy: Sendable {
    private let isKnown = Atomic<Bool>(false)
    private let report: (@Sendable () -> Void)?

    init(_ report: (@Sendable () -> Void)?) { self.report = report }

    func note() {
        guard let report, !isKnown.load(ordering: .relaxed) else { return }
        if !isKnown.exchange(true, ordering: .relaxed) { report() }
    }
}
