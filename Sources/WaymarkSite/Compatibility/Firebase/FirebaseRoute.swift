import Logging
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// Checks the key of a request to Firebase's API on the event loop's thread, before its body is read.
struct FirebaseRoute {
    let site: Site
    let method: FirebaseCall.Method

    /// How much of a body is read.
    static let bodyLimit = 1 << 20

    func respond(to head: RequestHead, in bytes: Span<UInt8>, pathLink: String, from peer: Peer) -> Reply {
        let query = QueryString(head.query?.copy(of: bytes))
        let given = Self.keys(head, bytes, query)
        if let caller = caller(given) {
            if let refusal = refusal(caller, peer) { return .now(refusal.response) }
            return reply(FirebaseCall(site: site, caller: caller, peer: peer, pathLink: pathLink, query: query))
        }
        // Only failures are counted, as for the rest of the API.
        if let seconds = site.callers.take(.failedAuthentication, peer) {
            return .now(Self.limited(seconds).response)
        }
        let unknown = FirebaseError(
            .unauthenticated,
            given.isEmpty
                ? "The request has no API key. Send ?key=, X-Goog-Api-Key or Authorization: Bearer."
                : "The API key is unknown, revoked or expired.")
        guard let new = given.first(where: site.service.keys.mayBeNew) else { return .now(unknown.response) }
        return lookUp(new, else: unknown, pathLink, query, peer)
    }

    /// The link in `/v1/https://…/linkStats`, for callers that don't encode it. No route has such a path, because its
    /// segments may be empty.
    static func rawLink(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        let path = head.path.text(in: bytes)
        guard path.hasPrefix("/v1/http"), path.hasSuffix("/linkStats") else { return nil }
        return String(path.dropFirst("/v1/".count).dropLast("/linkStats".count))
    }

    /// Every key that the request has, in the order in which Google looks at them.
    private static func keys(_ head: RequestHead, _ bytes: Span<UInt8>, _ query: QueryString) -> [[UInt8]] {
        var keys = query.all("key").prefix(1).map { Array($0.utf8) }
        if let name = HeaderName("X-Goog-Api-Key"), let value = head.value(named: name, in: bytes) {
            keys.append(value.copy(of: bytes))
        }
        if let bearer = APIRoute.bearer(head, bytes) { keys.append(bearer) }
        return keys.filter { !$0.isEmpty }
    }

    private func caller(_ keys: [[UInt8]]) -> FirebaseCall.Caller? {
        for key in keys {
            if let known = site.service.keys.authenticate(key) {
                return .waymark(known.withOneGrant(for: method.scope))
            }
            let directory = site.service.applications.directory.current
            if let application = directory.application(firebaseKey: key) { return .apiKey(application) }
        }
        return nil
    }

    private func refusal(_ caller: FirebaseCall.Caller, _ peer: Peer) -> FirebaseError? {
        guard caller.may(method.scope) else {
            return FirebaseError(.permissionDenied, "This needs a key with the scope \(method.scope.rawValue).")
        }
        return site.callers.take(method.limit, peer, key: caller.key).map(Self.limited)
    }

    private static func limited(_ seconds: Int) -> FirebaseError {
        FirebaseError(.resourceExhausted, "Too many requests; try again later.", retryAfter: seconds)
    }

    /// Another server may have made the key just now.
    private func lookUp(
        _ key: [UInt8], else unknown: FirebaseError, _ pathLink: String, _ query: QueryString, _ peer: Peer
    ) -> Reply {
        let route = self
        return .body(limit: Self.bodyLimit, .any) { body in
            let found: KeyIdentity?
            do throws(StoreError) {
                found = try await route.site.service.keys.lookUp(key)
            } catch {
                return FirebaseError.storeAway.response
            }
            guard let found else { return unknown.response }
            let caller = FirebaseCall.Caller.waymark(found.withOneGrant(for: route.method.scope))
            if let refusal = route.refusal(caller, peer) { return refusal.response }
            var call = FirebaseCall(
                site: route.site, caller: caller, peer: peer, pathLink: pathLink, query: query)
            call.body = body
            return await route.run(call)
        }
    }

    private func reply(_ call: FirebaseCall) -> Reply {
        let route = self
        guard method.hasBody else { return .later { await route.run(call) } }
        return .body(limit: Self.bodyLimit, .onEventLoop) { body in
            var call = call
            call.body = body
            return await route.run(call)
        }
    }

    private func audit(_ call: FirebaseCall) -> AuditCall {
        guard let key = call.caller.key else { return site.auditCall(AuditActor(.googleKey), call.peer) }
        return site.auditCall(key, call.peer)
    }

    private func run(_ call: FirebaseCall) async -> Response {
        do {
            guard method.scope == .create else { return try await call.answer(method) }
            return try await AuditCall.$current.withValue(audit(call)) { try await call.answer(method) }
        } catch let error as FirebaseError {
            return error.response
        } catch let error as StoreError {
            site.logger.warning("the store failed: \(error)")
            return FirebaseError.storeAway.response
        } catch {
            site.logger.error("a request failed: \(error)")
            return FirebaseError(.unknown, "The request could not be answered.").response
        }
    }
}
