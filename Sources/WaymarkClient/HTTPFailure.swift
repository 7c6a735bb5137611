package import WaymarkTLS

/// Why a request got no response.
package enum HTTPFailure: Error, Sendable {
    case url
    /// The host's name has no address.
    case name(host: String)
    /// The addresses that the name has are not allowed.
    case address(AddressProblem, host: String)
    case connection(OutgoingConnection.Failure, host: String)
    /// The request's body can't be read.
    case body(any Error)
    case unreadable(ResponseReader.Failure, host: String)

    package enum AddressProblem: Sendable {
        case notPublic
        /// Plain HTTP is for allowed networks only.
        case unencrypted
    }

    /// Whether the connection ended before the response did.
    package var isEndOfConnection: Bool {
        switch self {
        case .connection(.broken, _), .unreadable(.incomplete, _): true
        default: false
        }
    }

    /// Whether the server's certificate or its encryption is at fault.
    package var isOfEncryption: Bool { if case .connection(.encryption, _) = self { true } else { false } }

    /// Whether the URL itself can't be used, so that trying again is useless.
    package var isOfURL: Bool {
        switch self {
        case .url, .address: true
        default: false
        }
    }

    /// One sentence without a full stop.
    package var sentence: String {
        switch self {
        case .url: "this is not an http or https URL"
        case .name(let host): "the name \(host) has no address"
        case .address(.notPublic, let host): "\(host) has an address that is not public"
        case .address(.unencrypted, let host): "\(host) is asked for over http; only https is allowed"
        case .body(let error): "the body can't be read: \(error)"
        case .connection(.unreachable, let host): "\(host) can't be reached"
        case .connection(.encryption(let reason), let host): "the encrypted connection to \(host) failed: \(reason)"
        case .connection(.broken, let host): "\(host) closed the connection unexpectedly"
        case .connection(.timeout, let host): "\(host) did not answer in time"
        case .unreadable(.malformed(let reason), let host): "the answer of \(host) can't be read: \(reason)"
        case .unreadable(.incomplete, let host):
            "the answer of \(host) can't be read: the connection ended before the answer did"
        case .unreadable(.tooLarge, let host): "the answer of \(host) can't be read: it is too large"
        }
    }

    /// Why a URL can't be used, to follow the name of its field.
    package var fieldProblem: String {
        switch self {
        case .url: "must be an http or https URL"
        case .name: "has a host without an address"
        case .address(.notPublic, _):
            "leads to an address that is not public; an operator can allow its network (webhooks.allowedNetworks)"
        case .address(.unencrypted, _):
            "must be https; an operator can allow http for a network (webhooks.allowedNetworks)"
        default: "can't be used: \(sentence)"
        }
    }
}
