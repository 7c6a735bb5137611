import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// Cross-origin access for browsers (the CORS protocol of the Fetch standard): pages of the origins configured for an
/// application may create and resolve links, without credentials.
///
/// A preflight identifies neither the caller nor the application, so it allows the origins of all applications. The
/// actual response allows the origins of the key's application; for a key for all applications, or an unknown or
/// missing key, again those of all.
enum CrossOrigin {
    /// The header fields for responses of cross-origin routes, with any status.
    static func fields(_ given: String?, key: KeyIdentity?, _ site: Site) -> HeaderFields {
        guard let origin = allowed(given, key: key, site) else { return varyFields }
        var fields = varyFields
        // It is one of the configured origins, which have no control characters.
        _ = fields.append(.accessControlAllowOrigin, origin)
        fields.append(
            .accessControlExposeHeaders,
            "ETag, Idempotent-Replayed, Location, Retry-After, X-Request-ID" as StaticString)
        return fields
    }

    /// The response to a preflight; nil for other `OPTIONS` requests and for paths without cross-origin access.
    static func preflight(_ head: RequestHead, _ bytes: Span<UInt8>, _ site: Site) -> Response? {
        guard head.value(.origin) != nil, let method = head.text(.accessControlRequestMethod, in: bytes),
            case .found(let route, _) = site.router.match(.post, path: bytes.extracting(head.path.indices)),
            route.isCrossOrigin
        else { return nil }
        guard method == Method.post.name, !head.isRepeated(.accessControlRequestMethod),
            let origin = allowed(Self.origin(head, bytes), key: nil, site)
        else {
            return .problem(
                Problem(.originForbidden, "Pages of this origin may not do this."), fields: preflightVaryFields)
        }
        var fields = preflightFields
        _ = fields.append(.accessControlAllowOrigin, origin)
        return Response(.noContent, fields: fields)
    }

    /// The origin of the page that sends the request; nil if there is none or several.
    static func origin(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        head.isRepeated(.origin) ? nil : head.text(.origin, in: bytes)
    }

    /// Compared byte by byte with the configured origins.
    private static func allowed(_ origin: String?, key: KeyIdentity?, _ site: Site) -> String? {
        guard let origin else { return nil }
        let directory = site.service.applications.directory.current
        let applications = key?.reach(ofOneOf: KeyScope.allCases)?.applications?.compactMap(directory.application)
        return (applications ?? directory.applications).lazy.flatMap(\.application.corsOrigins)
            .first { $0.utf8.elementsEqual(origin.utf8) }
    }

    private static let varyFields = HeaderFields((.vary, "Origin"))
    private static let preflightVaryFields = HeaderFields(
        (.vary, "Origin, Access-Control-Request-Method, Access-Control-Request-Headers"))

    private static let preflightFields: HeaderFields = {
        var fields = HeaderFields(
            (.accessControlAllowMethods, "POST"),
            (.accessControlAllowHeaders, "Authorization, Content-Type, Idempotency-Key"),
            // No browser allows more than two hours.
            (.accessControlMaxAge, "7200"), (.cacheControl, "no-store"))
        fields.append(preflightVaryFields)
        return fields
    }()
}
