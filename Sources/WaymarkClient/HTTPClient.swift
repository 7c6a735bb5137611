import WaymarkBytes
import WaymarkTLS

/// Sends requests over HTTP/1.1, without following redirects. Each ends with a response or a failure
/// (docs/decisions/2026-11-27-one-http-client.md).
package struct HTTPClient: HTTPSending {
    /// Where requests go.
    package enum Route: Sendable {
        /// To the addresses of the URL's host, if the rule allows all of them; nil: to any.
        case host(AddressRule?)
        /// To this address instead; IPv6 in brackets.
        case address(String)
        /// To the program at this local socket.
        ///
        /// - open: connects; the descriptor is non-blocking, and the caller's to close.
        case socket(path: String, open: @Sendable () throws -> Int32)
    }

    private let route: Route
    private let userAgent: String?

    package init(_ route: Route = .host(nil), userAgent: String? = nil) {
        self.route = route
        self.userAgent = userAgent
    }

    package func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        await NetworkThread.run {
            var outcomes: [HTTPOutcome] = []
            var open: OpenConnection?
            for (index, request) in requests.enumerated() {
                let outcome = outcome(of: request, isLast: index == requests.count - 1, &open)
                outcomes.append(outcome)
                guard goesOn(outcome) else { break }
            }
            return outcomes
        }
    }

    package func send(_ next: @escaping @Sendable (HTTPOutcome?) -> HTTPRequest?) async {
        await NetworkThread.run {
            var outcome: HTTPOutcome?
            var open: OpenConnection?
            while let request = next(outcome) { outcome = self.outcome(of: request, isLast: false, &open) }
        }
    }

    private func outcome(of request: HTTPRequest, isLast: Bool, _ open: inout OpenConnection?) -> HTTPOutcome {
        let start = ContinuousClock.now
        let result = Result { () throws(HTTPFailure) in try response(to: request, isLast: isLast, &open) }
        return HTTPOutcome(result, duration: ContinuousClock.now - start)
    }

    private typealias OpenConnection = (server: String, connection: HTTPConnection)

    private func response(
        to request: HTTPRequest, isLast: Bool, _ open: inout OpenConnection?
    ) throws(HTTPFailure) -> HTTPResponse {
        guard let target = HTTPTarget(request.url) else { throw .url }
        let limit = ExchangeLimit(seconds: request.timeout)
        let server = "\(target.isSecure) \(target.host) \(target.port) \(request.authority ?? "")"
        let message = request.message(to: target, userAgent: userAgent, isLast: isLast)
        func exchange(on connection: HTTPConnection) throws(HTTPFailure) -> HTTPResponse? {
            let (responses, failure) = connection.exchange(
                message, stream: request.stream, bodyLimit: request.bodyLimit, isHead: request.method == "HEAD")
            open = connection.isReusable ? (server, connection) : nil
            if let failure { throw failure }
            return responses.first
        }
        if let known = open, known.server == server {
            do throws(HTTPFailure) {
                if let response = try exchange(on: known.connection) { return response }
            } catch {
                // The server may have closed it since. A stream can't be read twice.
                guard error.isEndOfConnection, request.stream == nil else { throw error }
            }
        }
        open = nil
        let connection = try connect(
            to: target, within: limit, timeout: request.timeout, authority: request.authority)
        guard let response = try exchange(on: connection) else { throw .connection(.broken, host: target.host) }
        return response
    }

    // MARK: Connecting

    /// Blocks: use it on a `NetworkThread`.
    ///
    /// - Parameters:
    ///   - timeout: of connecting and the first exchange, and of each further exchange, in seconds.
    ///   - authority: as in `HTTPRequest`.
    package func connect(
        to target: HTTPTarget, timeout: Int, authority: String? = nil
    ) throws(HTTPFailure) -> HTTPConnection {
        try connect(to: target, within: ExchangeLimit(seconds: timeout), timeout: timeout, authority: authority)
    }

    /// - Parameter limit: of connecting and the first exchange.
    private func connect(
        to target: HTTPTarget, within limit: ExchangeLimit, timeout: Int, authority: String?
    ) throws(HTTPFailure) -> HTTPConnection {
        let addresses: [String?]
        switch route {
        case .socket(let path, let open):
            guard let descriptor = try? open(),
                let connection = try? OutgoingConnection(adopting: descriptor, patience: limit.rest)
            else { throw .connection(.unreachable, host: path) }
            return HTTPConnection(connection, host: target.host, timeout: timeout)
        case .address(let address): addresses = [address]
        case .host(nil): addresses = [nil]
        // The name is resolved once, so that the address that is connected to is one that was checked.
        case .host(let rule?): addresses = try Self.addresses(of: target, rule).map(\.urlText)
        }
        do throws(OutgoingConnection.Failure) {
            let connection = try Self.first(of: addresses, within: limit) {
                (address, rest) throws(OutgoingConnection.Failure) in
                try OutgoingConnection(
                    host: target.host, port: target.port, isSecure: target.isSecure, patience: rest,
                    address: address, authority: authority)
            }
            return HTTPConnection(connection, host: target.host, timeout: timeout)
        } catch {
            let isNameless = error == .unreachable && addresses == [nil] && ResolvedHost.addresses(target.host).isEmpty
            throw isNameless ? .name(host: target.host) : .connection(error, host: target.host)
        }
    }

    /// The connection to the first address that accepts one. All of them share the limit.
    ///
    /// - Parameter connect: given the address, and how many seconds are left.
    static func first<Connection>(
        of addresses: [String?], within limit: ExchangeLimit,
        connect: (_ address: String?, _ rest: Int) throws(OutgoingConnection.Failure) -> Connection
    ) throws(OutgoingConnection.Failure) -> Connection {
        for address in addresses {
            let rest = limit.rest
            guard rest > 0 else { throw .timeout }
            do throws(OutgoingConnection.Failure) {
                return try connect(address, rest)
            } catch {
                guard error == .unreachable else { throw error }
            }
        }
        throw .unreachable
    }

    /// The addresses of a host, all of which the rule allows. A host with one that it forbids is not connected to at
    /// all: the owner of the name chooses which one is used.
    private static func addresses(of target: HTTPTarget, _ rule: AddressRule) throws(HTTPFailure) -> [IPAddress] {
        let host = target.host
        let addresses = ResolvedHost.addresses(host)
        guard !addresses.isEmpty else { throw .name(host: host) }
        guard addresses.allSatisfy(rule.allows) else { throw .address(.notPublic, host: host) }
        guard target.isSecure || rule.allowsUnencrypted || addresses.allSatisfy(rule.isInAllowedNetwork) else {
            throw .address(.unencrypted, host: host)
        }
        return addresses
    }

    package func obstacle(to url: String) async -> HTTPFailure? {
        guard let target = HTTPTarget(url) else { return .url }
        guard case .host(let rule?) = route else { return nil }
        return await NetworkThread.run {
            do throws(HTTPFailure) {
                _ = try Self.addresses(of: target, rule)
                return nil
            } catch {
                return error
            }
        }
    }
}
