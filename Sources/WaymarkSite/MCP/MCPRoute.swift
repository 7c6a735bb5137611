import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// `/_/mcp`: the Model Context Protocol over HTTP, one message a request and no session
/// (docs/decisions/2026-11-26-mcp-over-rest.md).
struct MCPRoute {
    let site: Site

    private static let server = MCPServer(apiDocument: EmbeddedFile.apiDocument)
    private static let versionField = HeaderName("MCP-Protocol-Version")

    func respond(to head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        guard head.method == .post else { return .now(.methodNotAllowed([.post])) }
        guard mayAsk(head, bytes, peer) else {
            return .now(
                .problem(
                    .originForbidden,
                    "Pages may call this on their own origin only: on a host of an application, on this machine, or on the admin listener."
                ))
        }
        let credential = APIRoute.bearer(head, bytes).map { secret -> Credential in
            GrantToken(secret) == nil ? .key(secret) : .token(secret)
        }
        let isKnown = credential.flatMap { $0.key(site.service.keys) } != nil
        let challenge = OAuthResource(head, bytes, peer).challenge(hasToken: head.value(.authorization) != nil)
        let unknown = Response.problem(APIRoute.keyUnknown(head), challenge: challenge)
        if !isKnown, let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(.rateLimited(retryAfter: seconds))
        }
        guard let credential, isKnown || credential.mayBeNew(site.service.keys) else { return .now(unknown) }
        let refusal = refusal(head, bytes)
        if isKnown, let refusal { return .now(.problem(refusal)) }
        let caller = SiteCaller(site: site, credential: credential, peer: peer)
        return .body(limit: SiteRoute.Body.usualLimit) { [site] body in
            if !isKnown {
                do throws(StoreError) {
                    guard try await credential.lookUp(site.service.keys) != nil else { return unknown }
                } catch {
                    return APIRoute.response(to: error, site)
                }
            }
            if let refusal { return .problem(refusal) }
            switch await Self.server.answer(to: body, through: caller) {
            case .none: return Self.accepted
            case .message(let message): return .json(.ok, message)
            case .malformed(let message): return .json(.badRequest, message)
            }
        }
    }

    /// Whether the request is from a program, or from a page that this server may have sent: a page elsewhere could reach a server
    /// that only this browser can, under a name of its own.
    private func mayAsk(_ head: RequestHead, _ bytes: Span<UInt8>, _ peer: Peer) -> Bool {
        guard head.value(.origin) != nil else { return true }
        guard RequestOrigin.isOwn(head, bytes, peer) else { return false }
        if peer.role == .admin || LoopbackHost.isNamed(head, bytes) { return true }
        return VisitHost.name(head, bytes).flatMap { site.service.applications.directory.current.lookup(at: $0) } != nil
    }

    /// Why the message is not read.
    private func refusal(_ head: RequestHead, _ bytes: Span<UInt8>) -> Problem? {
        do throws(Problem) {
            try APIRoute.checkCoding(head, bytes)
            try APIRoute.checkMediaType(head, bytes, of: .json)
        } catch {
            return error
        }
        // The protocol's clients must take JSON as well as a stream, whichever they name (RFC 9110 section 12.5.1).
        guard
            ["application/json", "text/event-stream"].contains(where: { AcceptHeader.quality(of: $0, head, bytes) > 0 })
        else {
            var problem = Problem(.requestRefused, "Answers are application/json: allow it in Accept.")
            problem.status = 406
            problem.title = Status(406).reason
            return problem
        }
        if let version = Self.versionField.flatMap({ head.value(named: $0, in: bytes)?.text(in: bytes) }),
            !ProtocolVersion.all.contains(version)
        {
            return Problem(
                .malformedRequest,
                "This server speaks the revisions \(ProtocolVersion.all.joined(separator: ", ")) of MCP-Protocol-Version."
            )
        }
        return nil
    }

    private static let accepted = Response(.accepted, fields: HeaderFields((.cacheControl, "no-store")))
}

/// Sends the requests of tools to the API of the same process, with the key or token and the address of the client.
struct SiteCaller: RESTCaller {
    let site: Site
    let credential: Credential
    let peer: Peer

    /// In bytes; longer files are reports that nobody reads in a conversation.
    private static let fileLimit = 8 << 20

    func send(_ request: RESTRequest) async throws(RESTFailure) -> RESTResponse {
        var fields = request.fields.map { ($0.name, $0.value) } + [(AssistantField.name, AssistantField.value)]
        if let body = request.body { fields.append(("Content-Type", body.contentType)) }
        var message = InProcessRequest(
            method: request.method, target: request.target, fields: fields, body: request.body?.bytes)
        message.credential = credential
        let response = await site.answer(message, from: peer)
        let status = Int(response.status.code)
        switch response.body {
        case .none: return RESTResponse(status: status, body: [])
        case .bytes(let bytes): return RESTResponse(status: status, body: bytes)
        case .file(let file):
            guard file.count <= Self.fileLimit, let bytes = file.contents() else {
                throw RESTFailure(reason: "The report can't be read.")
            }
            return RESTResponse(status: status, body: bytes)
        case .parts, .stream: throw RESTFailure(reason: "The answer can't be read.")
        }
    }
}
