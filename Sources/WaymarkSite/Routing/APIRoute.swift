import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// The checks of every API route on the event loop's thread, before the body is read: the key, its scope, the media
/// type, the idempotency key.
struct APIRoute {
    let site: Site
    let route: SiteRoute
    /// One of them suffices.
    let scopes: [KeyScope]
    let body: SiteRoute.Body
    /// Of a request from this process; nil: the request's own.
    var credential: Credential?
    let answer: @Sendable (Call, Site) async throws -> Response

    func respond(
        to head: RequestHead, in bytes: Span<UInt8>, parameters: [String], from peer: Peer
    ) -> Reply {
        let origin = route.isCrossOrigin ? CrossOrigin.origin(head, bytes) : nil
        let isDemo = site.options.isDemo && head.value(.authorization) == nil
        let credential =
            self.credential ?? (isDemo ? .demo : nil)
            ?? Credential(head, bytes, peer, plainNetworks: site.options.plainNetworks)
        if case .session = credential, let problem = SessionCookie.problem(head, bytes, peer) {
            return .now(.problem(problem, fields: fields(origin, nil)))
        }
        guard let key = credential?.key(site.service.keys) else {
            let fields = fields(origin, nil)
            // Only failures are counted: valid keys are never rejected because of other callers at the same address.
            // Keys are too long to be guessed.
            if let seconds = site.callers.take(.failedAuthentication, peer) {
                return .now(.rateLimited(retryAfter: seconds, fields: fields))
            }
            let problem = Self.keyUnknown(head)
            guard let credential, credential.mayBeNew(site.service.keys) else {
                // A token tells its client where it holds.
                let isToken = credential.flatMap { GrantToken($0.secret) } != nil
                let challenge = isToken ? OAuthResource(head, bytes, peer).challenge(hasToken: true) : nil
                return .now(.problem(problem, fields: fields, challenge: challenge))
            }
            return lookUp(
                credential, problem, prepared(head, bytes, parameters, .nobody, peer), boundary(head, bytes), origin,
                peer)
        }
        let fields = fields(origin, key)
        if let refusal = refusal(key, peer, fields) { return .now(refusal) }
        let call: Call
        switch prepared(head, bytes, parameters, key, peer) {
        case .success(let prepared): call = prepared
        case .failure(let problem): return .now(Self.response(problem, fields))
        }
        let (site, answer) = (site, answer)
        if let boundary = boundary(head, bytes) {
            return .stream(
                limit: site.imports.settings.uploadBytes,
                ImportUpload(
                    site, boundary, admit: { .call(call, fields) },
                    answer: { await Self.run($0, site, $1, answer) }))
        }
        guard let limit = body.limit else {
            return .later(route.executionHint) { await Self.run(call, site, fields, answer) }
        }
        return .body(limit: limit, route.executionHint) { bytes in
            var call = call
            call.body = bytes
            return await Self.run(call, site, fields, answer)
        }
    }

    /// For a key unknown to this server: another server may just have created it, so the store is asked before the key
    /// is rejected. Problems of the request are only reported to callers with an accepted key.
    private func lookUp(
        _ credential: Credential, _ unknown: Problem, _ prepared: Result<Call, Problem>,
        _ boundary: MultipartBoundary?, _ origin: String?, _ peer: Peer
    ) -> Reply {
        let admit: @Sendable () async -> ImportUpload.Admission = {
            let key: KeyIdentity?
            do throws(StoreError) {
                key = try await credential.lookUp(site.service.keys)
            } catch {
                site.logger.warning("the store failed: \(error)")
                return .refused(.problem(Problem(error), fields: fields(origin, nil)))
            }
            let fields = fields(origin, key)
            guard let key else { return .refused(.problem(unknown, fields: fields)) }
            if let refusal = refusal(key, peer, fields) { return .refused(refusal) }
            switch prepared {
            case .failure(let problem): return .refused(Self.response(problem, fields))
            case .success(var call):
                call.key = key
                call.reach = key.reach(ofOneOf: scopes) ?? .nothing
                return .call(call, fields)
            }
        }
        if let boundary, case .success = prepared {
            return .stream(
                limit: site.imports.settings.uploadBytes,
                ImportUpload(
                    site, boundary, admit: admit, answer: { await Self.run($0, site, $1, self.answer) }))
        }
        let answer: @Sendable ([UInt8]) async -> Response = { bytes in
            switch await admit() {
            case .refused(let response): return response
            case .call(var call, let fields):
                call.body = bytes
                return await Self.run(call, site, fields, self.answer)
            }
        }
        guard let limit = body.limit, case .success = prepared else {
            return .later(route.executionHint) { await answer([]) }
        }
        return .body(limit: limit, route.executionHint, answer)
    }

    /// Of a form that the route takes.
    private func boundary(_ head: RequestHead, _ bytes: Span<UInt8>) -> MultipartBoundary? {
        guard body == .upload, !head.isRepeated(.contentType) else { return nil }
        return head.text(.contentType, in: bytes).flatMap { MultipartBoundary(contentType: $0) }
    }

    /// The CORS fields if the route is cross-origin.
    private func fields(_ origin: String?, _ key: KeyIdentity?) -> HeaderFields {
        route.isCrossOrigin ? CrossOrigin.fields(origin, key: key, site) : HeaderFields()
    }

    /// The response if the key lacks the scope or has exceeded a limit.
    private func refusal(_ key: KeyIdentity, _ peer: Peer, _ fields: HeaderFields) -> Response? {
        guard key.reach(ofOneOf: scopes) != nil else {
            let names = scopes.map(\.rawValue).joined(separator: " or ")
            let problem = Problem(.scopeMissing, "This needs a key with the scope \(names).")
            return .problem(problem, fields: fields)
        }
        if let limit = route.limit, let seconds = site.callers.take(limit, peer, key: key) {
            return .rateLimited(retryAfter: seconds, fields: fields)
        }
        return nil
    }

    private static func response(_ problem: Problem, _ fields: HeaderFields) -> Response {
        var fields = fields
        if problem == codingUnsupported { fields.append(codingFields) }
        return .problem(problem, fields: fields)
    }

    private func prepared(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ parameters: [String], _ key: KeyIdentity, _ peer: Peer
    ) -> Result<Call, Problem> {
        do throws(Problem) {
            return .success(try call(head, bytes, parameters, key, peer))
        } catch {
            return .failure(error)
        }
    }

    private func call(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ parameters: [String], _ key: KeyIdentity, _ peer: Peer
    ) throws(Problem) -> Call {
        let query = QueryString(head.query?.copy(of: bytes))
        let unknown = unknownParameters(of: query)
        // A call that only reads runs all the same, to find its other problems.
        if !unknown.isEmpty, route.method != .get { throw Problem(invalid: unknown) }
        if body != .none { try checkBody(head, bytes) }
        return Call(
            key: key, reach: key.reach(ofOneOf: scopes) ?? .nothing, peer: peer, parameters: parameters, query: query,
            unknownParameters: unknown, ifMatch: Precondition(ifMatch(head, bytes)),
            prefersCSV: MediaType.prefersCSV(head, bytes), isAssistant: AssistantField.isSet(head, bytes),
            idempotencyKey: try idempotencyKey(head, bytes),
            coding: route.isCompressible ? ResponseCoding(site.compression, head, bytes) : nil,
            mediaType: body == .picture ? head.text(.contentType, in: bytes).map { MediaType.essence($0) } : nil)
    }

    private func unknownParameters(of query: QueryString) -> [FieldProblem] {
        let unknown = query.names.filter { !route.query.contains($0) }
        guard !unknown.isEmpty else { return [] }
        let rule =
            route.query.isEmpty
            ? "is unknown; this takes no query parameters"
            : "is unknown; the parameters are \(route.query.joined(separator: ", "))"
        // The list of parameters is only given once.
        return unknown.enumerated().map { index, name in
            FieldProblem(field: name, problem: index == 0 ? rule : "is unknown")
        }
    }

    /// The key in the request: `Bearer`, case-insensitive, followed by the key (RFC 9110 section 11.1, RFC 6750 section
    /// 2.1).
    static func bearer(_ head: RequestHead, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let value = head.value(.authorization), !head.isRepeated(.authorization) else { return nil }
        let authorization = value.copy(of: bytes)
        let scheme = "bearer ".utf8
        guard authorization.prefix(scheme.count).elementsEqual(scheme, by: { $0 | 0x20 == $1 }) else {
            return nil
        }
        return Array(authorization[scheme.count...].drop { $0 == UInt8(ascii: " ") })
    }

    static func keyUnknown(_ head: RequestHead) -> Problem {
        Problem(
            .keyUnknown,
            head.value(.authorization) == nil
                ? "Send an API key: Authorization: Bearer wm_…" : "The API key is unknown, revoked or expired.")
    }

    private func checkBody(_ head: RequestHead, _ bytes: Span<UInt8>) throws(Problem) {
        try Self.checkCoding(head, bytes)
        if boundary(head, bytes) == nil { try Self.checkMediaType(head, bytes, of: body) }
    }

    static func checkCoding(_ head: RequestHead, _ bytes: Span<UInt8>) throws(Problem) {
        let encoding = head.text(.contentEncoding, in: bytes)?.lowercased() ?? "identity"
        guard encoding == "identity", !head.isRepeated(.contentEncoding) else { throw codingUnsupported }
    }

    static func checkMediaType(
        _ head: RequestHead, _ bytes: Span<UInt8>, of body: SiteRoute.Body
    ) throws(Problem) {
        let given = head.text(.contentType, in: bytes)
        let isRight =
            body == .picture
            ? given.map { [QRCodeLogo.png, QRCodeLogo.svg].contains(MediaType.essence($0)) } ?? false
            : MediaType.isJSON(given, allowingMergePatch: body == .mergePatch)
        guard !head.isRepeated(.contentType), isRight else {
            let allowed =
                switch body {
                case .mergePatch: "application/merge-patch+json or application/json"
                case .picture: "image/png or image/svg+xml"
                case .upload: "application/json, or multipart/form-data with a boundary"
                default: "application/json"
                }
            throw Problem(.mediaTypeUnsupported, "The Content-Type must be \(allowed).")
        }
    }

    private static let codingUnsupported = Problem(
        .mediaTypeUnsupported, "The body must be sent without a Content-Encoding.")

    /// Indicates that the coding is the problem; RFC 9110 section 12.5.3 forbids it if the media type is.
    private static let codingFields = HeaderFields((.acceptEncoding, "identity"))

    /// All field lines as one list (RFC 9110 section 5.3).
    private func ifMatch(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        var values: [String] = []
        for position in 0..<head.fieldCount where head.field(at: position).known == .ifMatch {
            values.append(head.field(at: position).value.text(in: bytes))
        }
        return values.isEmpty ? nil : values.joined(separator: ",")
    }

    private func idempotencyKey(_ head: RequestHead, _ bytes: Span<UInt8>) throws(Problem) -> String? {
        guard route.takesIdempotencyKey, let value = head.text(.idempotencyKey, in: bytes) else { return nil }
        let isGood = (1...255).contains(value.utf8.count) && value.utf8.allSatisfy { (0x21...0x7E).contains($0) }
        guard isGood, !head.isRepeated(.idempotencyKey) else {
            throw Problem(invalid: [
                FieldProblem(
                    field: "Idempotency-Key", problem: "must be given once, as 1 to 255 visible ASCII characters")
            ])
        }
        return value
    }

    private static func run(
        _ call: Call, _ site: Site, _ fields: HeaderFields,
        _ answer: @Sendable (Call, Site) async throws -> Response
    ) async -> Response {
        var response = await response(to: call, site, answer)
        response.fields.append(fields)
        guard let coding = call.coding else { return response }
        return await coding.response(response)
    }

    private static func response(
        to call: Call, _ site: Site, _ answer: @Sendable (Call, Site) async throws -> Response
    ) async -> Response {
        let unknown = call.unknownParameters
        do {
            let response = try await answer(call, site)
            guard !unknown.isEmpty else { return response }
            if case .stream(let stream) = response.body { stream.cancel() }
            return .problem(Problem(invalid: unknown))
        } catch {
            guard !unknown.isEmpty, let problem = error as? Problem else { return self.response(to: error, site) }
            return .problem(Problem(invalid: unknown + problem.errors))
        }
    }

    /// The only place that converts handlers' errors to responses.
    static func response(to error: any Error, _ site: Site) -> Response {
        switch error {
        case let problem as Problem: return .problem(problem)
        case let error as BodyError: return .problem(error.problem)
        case let error as StoreError:
            site.logger.warning("the store failed: \(error)")
            return .problem(Problem(error))
        default:
            site.logger.error("a request failed: \(error)")
            return .problem(Problem(.internalError, "The request could not be answered."))
        }
    }
}
