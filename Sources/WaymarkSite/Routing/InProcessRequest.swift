import WaymarkAPI
import WaymarkHTTP
package import WaymarkServer
import WaymarkService

/// A request to the API from a part of this process. It passes the same router, checks and limits as one from a connection.
package struct InProcessRequest: Sendable {
    package var method: String
    /// Path and query, percent-encoded.
    package var target: String
    /// Without `Host` and the body's length. Neither names nor values have control characters.
    package var fields: [(name: String, value: String)]
    package var body: [UInt8]?
    /// Instead of one in the fields.
    var credential: Credential?

    package init(method: String, target: String, fields: [(name: String, value: String)], body: [UInt8]?) {
        self.method = method
        self.target = target
        self.fields = fields
        self.body = body
    }

    fileprivate var head: [UInt8] {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: localhost\r\n"
        for field in fields { text += "\(field.name): \(field.value)\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8)
    }
}

extension Site {
    /// The response of the API; other paths are unknown.
    ///
    /// - Parameter peer: the client on whose behalf the request is sent; its limits apply.
    package func answer(_ request: InProcessRequest, from peer: Peer) async -> Response {
        let body = request.body ?? []
        switch reply(to: request.head, request.credential, from: peer) {
        case .now(let response): return response
        case .later(_, let answer): return await answer()
        case .body(let limit, _, let answer):
            guard body.count <= limit else {
                return ErrorResponses.response(.contentTooLarge, detail: "The body is too large.")
            }
            return await answer(body)
        case .stream(let limit, let receiver):
            guard body.count <= limit else {
                return ErrorResponses.response(.contentTooLarge, detail: "The body is too large.")
            }
            return await receiver.response(to: body)
        }
    }

    private func reply(to message: [UInt8], _ credential: Credential?, from peer: Peer) -> Reply {
        let head = RequestHead(limits: HeadLimits())
        var parser = RequestParser(limits: HeadLimits())
        let bytes = message.span
        switch parser.parse(bytes, into: head) {
        case .head: break
        case .reject(let status, let detail): return .now(ErrorResponses.response(status, detail: detail))
        case .needMore: return .now(ErrorResponses.response(.badRequest, detail: "The request is not complete."))
        }
        let path = bytes.extracting(head.path.indices)
        guard case .found(let route, let parameters) = router.match(head.method, path: path),
            !options.hasAdminListener || !route.isAdminOnly || peer.role.isForOperators,
            let reply = respondToAPI(route, head, bytes, parameters, peer, as: credential)
        else { return .now(.problem(Self.nowhere)) }
        return reply
    }

    static let nowhere = Problem(.resourceUnknown, "No route leads here.")

    /// Nil for a route that is not one of the API.
    func respondToAPI(
        _ route: SiteRoute, _ head: RequestHead, _ bytes: Span<UInt8>, _ parameters: [String], _ peer: Peer,
        as credential: Credential? = nil
    ) -> Reply? {
        let isAway = !service.isLoaded || service.storeHealth.isAway
        if options.isDemo, let response = Demo.response(to: route, at: now) { return .now(response) }
        switch route.access {
        case .api(let scopes, let body, let answer):
            // Without the store, revoked keys can't be recognised, and no operation is guaranteed.
            if isAway { return .now(.problem(.storeAway)) }
            return APIRoute(
                site: self, route: route, scopes: scopes, body: body, credential: credential, answer: answer
            )
            .respond(to: head, in: bytes, parameters: parameters, from: peer)
        case .session(let call):
            if isAway { return .now(.problem(.storeAway)) }
            return SessionRoute(site: self).respond(to: call, head, in: bytes, from: peer)
        case .mcp:
            if isAway { return .now(.problem(.storeAway)) }
            return MCPRoute(site: self).respond(to: head, in: bytes, from: peer)
        case .oauth(let call):
            if isAway { return .now(.problem(.storeAway)) }
            return OAuthRoute(site: self).respond(to: call, head, in: bytes, from: peer)
        case .hoko, .open, .firebase: return nil
        }
    }
}
