import WaymarkAPI
import WaymarkClient

/// Whether Waymark answers for a host, and which proxies are in front of it.
enum ServedHostCheck {
    /// A path without a link, requested as JSON so that errors are machine-readable.
    static let path = "/waymark-doctor"

    /// - Parameter answer: nil: there is no trusted connection to the host.
    static func finding(_ answer: Result<HTTPResponse, FetchProblem>?) -> DoctorFinding {
        let response: HTTPResponse
        switch answer {
        case nil: return .skipped(.served, "no trusted connection to the host")
        case .failure(let problem):
            return .finding(.served, problem.sentence, fix: "see the log of the server and of its proxy")
        case .success(let given): response = given
        }
        switch Problem(json: response.body)?.known {
        case .hostUnknown?:
            return .finding(
                .served, "Waymark answers, but no application has this host", fix: "add it to the domains of one")
        case .storeUnavailable?:
            return .finding(
                .served, "Waymark answers, but does not reach its database", fix: "see /readyz and the server's log")
        case .some: return .ok(.served, "an application has this host")
        case nil where [502, 503, 504].contains(response.status):
            return .finding(
                .served, "the answer is \(response.status), and not Waymark's: a proxy does not reach it",
                fix: "start Waymark, or correct its address in the proxy")
        case nil where (300..<400).contains(response.status):
            let location = response["Location"].map { " to \($0)" } ?? ""
            return .finding(
                .served, "something other than Waymark redirects this host\(location)",
                fix: "remove that redirect: neither apps nor Apple and Google follow it")
        case nil:
            return .finding(
                .served, "another server answered (\(response.status))",
                fix: "point the host to Waymark, or forward all paths")
        }
    }
}

/// Proxies in front of the service that `trustedProxies` does not name. Without them all visitors share one address.
enum ProxyCheck {
    /// Fields that proxies add and Waymark does not send. A `Server` field alone may be one that an operator adds.
    private static let fields = [
        "Via", "CF-Ray", "X-Cache", "X-Amz-Cf-Id", "X-Served-By", "X-Varnish", "Fly-Request-Id", "X-Azure-Ref",
        "Server",
    ]

    /// - Parameters:
    ///   - hosts: responses by host.
    ///   - trustsProxies: whether `trustedProxies` names any; nil: no configuration is known.
    static func finding(
        _ hosts: [(host: String, response: HTTPResponse)], trustsProxies: Bool?
    ) -> DoctorFinding {
        let signs = hosts.compactMap { host, response -> String? in
            for field in fields {
                if let value = response[field] { return "\(host) answers with \(field): \(value)" }
            }
            return nil
        }
        guard let trustsProxies else { return .skipped(.proxies, "no configuration is named") }
        guard !hosts.isEmpty else { return .skipped(.proxies, "no host answers") }
        guard let sign = signs.first else { return .ok(.proxies, "no answer shows signs of a proxy") }
        guard !trustsProxies else { return .ok(.proxies, "\(sign), and trustedProxies names proxies") }
        return .finding(
            .proxies, "\(sign), but trustedProxies is empty: all visitors have the proxy's address",
            fix: "name the proxy in trustedProxies; see docs/operations/reverse-proxy.md")
    }
}
