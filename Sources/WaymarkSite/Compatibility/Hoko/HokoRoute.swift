import Logging
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// One request to HOKO's API, its key already accepted.
struct HokoCall: Sendable {
    let key: KeyIdentity
    /// Of the app that has the key.
    let platform: Platform
    let application: ServedApplication
    let peer: Peer
    /// The path's parameters, decoded, without `.json`.
    let parameters: [String]
    let query: QueryString
    /// Empty for routes without a body.
    var body: [UInt8] = []

    /// The body as an object.
    ///
    /// - Throws: status 5 if it is not a JSON object.
    func document() throws(HokoError) -> JSONDocument {
        guard let document = try? JSONDocument(body), document.root.object != nil else {
            throw HokoError(.malformedJSON)
        }
        return document
    }
}

/// Checks a request to HOKO's API before its handler runs: `Authorization: Token <key>`, the key's platform and scope, the
/// limits on callers.
struct HokoRoute {
    typealias Handler = @Sendable (HokoCall, Site) async throws -> Response

    let site: Site
    let route: SiteRoute
    let scope: KeyScope
    let answer: Handler

    /// The three spellings of a path: unchanged, with `.json`, with a final slash. A variable includes its `.json`, which
    /// `respond` removes.
    static func spellings(of path: RoutePath) -> [[RouteSegment]] {
        let slash = path.segments + [.literal("")]
        guard case .literal(let last)? = path.segments.last else { return [path.segments, slash] }
        return [path.segments, path.segments.dropLast() + [.literal(last + ".json")], slash]
    }

    /// Whether any application has the API. Otherwise the paths don't exist.
    static func isServed(_ site: Site) -> Bool {
        site.service.applications.directory.current.applications.contains { $0.application.hoko.isEnabled }
    }

    func respond(
        to head: RequestHead, in bytes: Span<UInt8>, parameters: [String], from peer: Peer
    ) -> Reply {
        // HEAD is routed as GET, and reading metadata takes a redeem.
        guard head.method == route.method else { return .now(HokoError(.unsupportedMethod).response) }
        let token = Self.token(head, bytes)
        let parameters = parameters.map { $0.hasSuffix(".json") ? String($0.dropLast(5)) : $0 }
        let query = QueryString(head.query?.copy(of: bytes))
        if let key = token.flatMap(site.service.keys.authenticate) {
            do throws(HokoError) {
                let call = try call(key, peer, parameters, query)
                return taking { body in await run(call, body) }
            } catch {
                return .now(error.response)
            }
        }
        if let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(HokoError.rateLimited(seconds).response)
        }
        guard let token, site.service.keys.mayBeNew(token) else { return .now(HokoError(.unknownToken).response) }
        return taking { body in
            do {
                guard let key = try await site.service.keys.lookUp(token) else { throw HokoError(.unknownToken) }
                return await run(try call(key, peer, parameters, query), body)
            } catch {
                return response(to: error)
            }
        }
    }

    private func taking(_ answer: @escaping @Sendable ([UInt8]) async -> Response) -> Reply {
        route.method == .get
            ? .later(route.executionHint) { await answer([]) }
            : .body(limit: SiteRoute.Body.usualLimit, route.executionHint, answer)
    }

    private func call(
        _ key: KeyIdentity, _ peer: Peer, _ parameters: [String], _ query: QueryString
    ) throws(HokoError) -> HokoCall {
        let key = key.withOneGrant(for: scope)
        guard let application = application(of: key) else { throw HokoError(.unknownToken) }
        guard let platform = key.platform, key.may(scope) else { throw HokoError(.wrongToken) }
        if let limit = route.limit, let seconds = site.callers.take(limit, peer, key: key) {
            throw .rateLimited(seconds)
        }
        return HokoCall(
            key: key, platform: platform, application: application, peer: peer, parameters: parameters, query: query)
    }

    /// A key for all applications is accepted while only one application has the API.
    private func application(of key: KeyIdentity) -> ServedApplication? {
        let directory = site.service.applications.directory.current
        if let id = key.grant.application {
            return directory.application(id).flatMap { $0.application.hoko.isEnabled ? $0 : nil }
        }
        let served = directory.applications.filter { $0.application.hoko.isEnabled }
        return served.count == 1 ? served.first : nil
    }

    private func run(_ call: HokoCall, _ body: [UInt8]) async -> Response {
        var call = call
        call.body = body
        do {
            guard route.method != .get else { return try await answer(call, site) }
            return try await AuditCall.$current.withValue(site.auditCall(call.key, call.peer)) {
                try await answer(call, site)
            }
        } catch {
            return response(to: error)
        }
    }

    private func response(to error: any Error) -> Response {
        switch error {
        case let error as HokoError: return error.response
        case let error as StoreError:
            site.logger.warning("the store failed: \(error)")
            return HokoError(error).response
        default:
            site.logger.error("a request failed: \(error)")
            return HokoError.internalError.response
        }
    }

    /// The key after `Token`, which is case-insensitive.
    private static func token(_ head: RequestHead, _ bytes: Span<UInt8>) -> [UInt8]? {
        guard let value = head.value(.authorization), !head.isRepeated(.authorization) else { return nil }
        let authorization = value.copy(of: bytes)
        let scheme = "token ".utf8
        guard authorization.prefix(scheme.count).elementsEqual(scheme, by: { $0 | 0x20 == $1 }) else { return nil }
        return Array(authorization[scheme.count...].drop { $0 == UInt8(ascii: " ") })
    }
}

extension SiteRoute {
    /// A route of HOKO's API.
    static func hoko(
        _ method: Method, _ path: String, _ scope: KeyScope, limit: CallerLimits.Kind? = nil,
        _ answer: @escaping HokoRoute.Handler, _ operation: @autoclosure () -> APIOperation
    ) -> SiteRoute {
        SiteRoute(
            method: method, path: RoutePath(path), limit: limit, access: .hoko(scope: scope, answer: answer),
            description: RouteDescription(operation()))
    }
}
