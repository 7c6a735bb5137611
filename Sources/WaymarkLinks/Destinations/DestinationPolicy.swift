/// The hosts that links of an application may lead to over http and https, and those that they may not.
///
/// A class, so that an application holds one reference to it, and none where every host is allowed.
package final class DestinationPolicy: Sendable, Equatable {
    /// Nil: every host.
    let allowed: HostSet?
    let blocked: HostSet
    /// What the operator blocks for all applications.
    let blockedByService: HostSet

    /// How many patterns each of the two lists of an application may have.
    package static let limit = 200

    package init(allowed: HostSet?, blocked: HostSet = HostSet(), blockedByService: HostSet = HostSet()) {
        self.allowed = allowed
        self.blocked = blocked
        self.blockedByService = blockedByService
    }

    /// Why links may not lead to a host.
    package enum Refusal: Sendable, Equatable { case notAllowed, blocked, blockedByService }

    /// Nil where they may. An IPv4 address is blocked in its IPv6 spelling, too.
    package func refusal(of host: HostName) -> Refusal? {
        let other = host.mapped
        if blocked.contains(host) || other.map(blocked.contains) == true { return .blocked }
        if let allowed, !allowed.contains(host) { return .notAllowed }
        if blockedByService.contains(host) || other.map(blockedByService.contains) == true { return .blockedByService }
        return nil
    }

    package static func == (one: DestinationPolicy, other: DestinationPolicy) -> Bool {
        one === other
            || (one.allowed == other.allowed && one.blocked == other.blocked
                && one.blockedByService == other.blockedByService)
    }
}

extension DestinationPolicy.Refusal {
    /// A sentence without subject.
    func problem(_ host: HostName) -> String {
        switch self {
        case .notAllowed: "leads to \(host.text), which is none of the application's destinations.allowedHosts"
        case .blocked: "leads to \(host.text), which the application's destinations.blockedHosts name"
        case .blockedByService: "leads to \(host.text), which this service blocks"
        }
    }
}

extension Application {
    /// Whether links may lead there. Custom schemes are no matter of hosts.
    @inline(__always)
    func permits(_ entry: URLEntry) -> Bool {
        guard let destinations else { return true }
        return destinations.permits(entry.link.url)
    }

    @inline(__always)
    func permits(_ url: WebURL) -> Bool {
        guard let destinations else { return true }
        return destinations.permits(url.url)
    }

    /// The same application under the operator's list.
    package func blocking(_ hosts: HostSet) -> Application {
        guard !hosts.isEmpty else { return self }
        let destinations = DestinationPolicy(
            allowed: destinations?.allowed, blocked: destinations?.blocked ?? HostSet(), blockedByService: hosts)
        // Nobody is sent to what is blocked because a link is over, either.
        func permitted(_ url: WebURL?) -> WebURL? { url.flatMap { destinations.permits($0.url) ? $0 : nil } }
        return with(
            baseURL: baseURL, onExpired: permitted(onExpired), onUnknown: permitted(onUnknown),
            onRoot: permitted(onRoot), destinations: destinations)
    }
}

extension DestinationPolicy {
    fileprivate func permits(_ url: URLText) -> Bool {
        guard url.isWeb else { return true }
        // A URL whose host can't be told leads nowhere that is allowed.
        return url.host.map { refusal(of: $0) == nil } ?? false
    }
}
