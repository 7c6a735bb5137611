/// The allowed and blocked hosts of an application's http and https destinations.
///
/// A class, so that an application has a single reference to it, or none if every host is allowed.
package final class DestinationPolicy: Sendable, Equatable {
    /// Nil: any host.
    let allowed: HostSet?
    let blocked: HostSet
    /// The hosts blocked by the operator for all applications.
    let blockedByService: HostSet

    /// Maximum number of patterns in each of an application's two lists.
    package static let limit = 200

    package init(allowed: HostSet?, blocked: HostSet = HostSet(), blockedByService: HostSet = HostSet()) {
        self.allowed = allowed
        self.blocked = blocked
        self.blockedByService = blockedByService
    }

    /// Why links may not lead to a host.
    package enum Refusal: Sendable, Equatable { case notAllowed, blocked, blockedByService }

    /// Nil if they may. A blocked IPv4 address is also blocked in its IPv6-mapped form.
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
    /// A sentence without a subject.
    func problem(_ host: HostName) -> String {
        switch self {
        case .notAllowed: "leads to \(host.text), which is not in the application's destinations.allowedHosts"
        case .blocked: "leads to \(host.text), which the application's destinations.blockedHosts name"
        case .blockedByService: "leads to \(host.text), which this service blocks"
        }
    }
}

extension Application {
    /// Whether a link may lead to a host chosen by somebody without an account: a visitor who writes a long or lazy link,
    /// or a person who extracts an API key from an app. The application must name the host in
    /// `destinations.allowedHosts`, `web.baseURL` or a template.
    package func isOwnDestination(_ host: HostName) -> Bool {
        if let destinations, destinations.refusal(of: host) != nil { return false }
        return destinations?.allowed != nil || ownHosts.contains(host)
    }

    static func ownHosts(_ webBaseURL: WebURL?, _ templates: [Template]) -> Set<HostName> {
        var hosts: Set<HostName> = []
        if let host = webBaseURL?.host { hosts.insert(host) }
        for entry in templates.lazy.flatMap(\.urls.values) {
            if entry.link.isWeb, let host = entry.link.url.host { hosts.insert(host) }
            if case .url(let url)? = entry.fallback, let host = url.host { hosts.insert(host) }
        }
        return hosts
    }

    /// Whether links may lead to the entry's URL. Custom schemes are always permitted.
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

    /// The same application with the operator's blocked hosts.
    package func blocking(_ hosts: HostSet) -> Application {
        guard !hosts.isEmpty else { return self }
        let destinations = DestinationPolicy(
            allowed: destinations?.allowed, blocked: destinations?.blocked ?? HostSet(), blockedByService: hosts)
        // The pages for expired and unknown links must not be blocked either.
        func permitted(_ url: WebURL?) -> WebURL? { url.flatMap { destinations.permits($0.url) ? $0 : nil } }
        return with(
            baseURL: baseURL, onExpired: permitted(onExpired), onUnknown: permitted(onUnknown),
            onRoot: permitted(onRoot), destinations: destinations)
    }
}

extension DestinationPolicy {
    fileprivate func permits(_ url: URLText) -> Bool {
        guard url.isWeb else { return true }
        // A URL without a known host is not permitted.
        return url.host.map { refusal(of: $0) == nil } ?? false
    }
}
