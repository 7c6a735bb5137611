import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// What browsers let pages of other origins do here (the CORS protocol of the Fetch standard): create and resolve links,
/// from the origins that an application names, never with credentials.
///
/// A preflight says neither who asks nor for which application, so it is answered for the origins of all applications.
/// The answer to the request itself is for the origins of the application whose key was sent; for a key of all
/// applications, or none that is known, for those of all again.
enum CrossOrigin {
    /// The fields that answers of routes for other origins carry, whatever their status.
    static func fields(_ given: String?, key: KeyIdentity?, _ site: Site) -> HeaderFields {
        guard let origin = allowed(given, key: key, site) else { return varyFields }
        var fields = varyFields
        // It is one of the applications' origins, which hold no control characters.
        _ = fields.append(.accessControlAllowOrigin, origin)
        fields.append(
            .accessControlExposeHeaders,
            "ETag, Idempotent-Replayed, Location, Retry-After, X-Request-ID" as StaticString)
        return fields
    }

    /// The answer to a preflight; nil for an `OPTIONS` that is none, or one for a path where pages of other origins have
    /// no business at all.
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

    /// Of the page that sends the request; nil where it gives none, or several.
    static func origin(_ head: RequestHead, _ bytes: Span<UInt8>) -> String? {
        head.isRepeated(.origin) ? nil : head.text(.origin, in: bytes)
    }

    /// Compared byte for byte, as the origin was configured.
    private static func allowed(_ origin: String?, key: KeyIdentity?, _ site: Site) -> String? {
        guard let origin else { return nil }
        let directory = site.service.applications.directory.current
        let applications = key?.application.map { [directory.application($0)].compactMap(\.self) }
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
            // Two hours are the most that any browser takes.
            (.accessControlMaxAge, "7200"), (.cacheControl, "no-store"))
        fields.append(preflightVaryFields)
        return fields
    }()
}
