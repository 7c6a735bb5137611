import WaymarkHTTP
import WaymarkServer
import WaymarkStores

/// The texts of a route for the API document.
///
/// Only debug builds have them, in which tests and `Scripts/openapi` run. The shipped program embeds the document: it
/// would have each text twice.
struct RouteDescription: Sendable {
    #if DEBUG
        let operation: APIOperation
    #endif

    @inline(__always)
    init(_ operation: @autoclosure () -> APIOperation) {
        #if DEBUG
            self.operation = operation()
        #endif
    }
}

/// What the API document needs to know of a route.
package struct DocumentedRoute: Sendable {
    /// Who may call it, and which responses are common to all routes like it.
    package enum Kind: Sendable, Equatable {
        /// One of the scopes suffices.
        case api(scopes: [String])
        case session, mcp, hoko, firebase, visit, file
    }

    package enum Body: Sendable {
        case json, mergePatch, upload, picture
    }

    /// In capitals.
    package let method: String
    package let path: String
    package let kind: Kind
    /// Nil for routes without one.
    package let body: Body?
    package let takesIdempotencyKey: Bool
    package let isCrossOrigin: Bool
    package let query: [String]
    package let statuses: Set<Int>
    package let operation: APIOperation
}

extension Site {
    /// In the order of the route table; none in builds for release, which have no texts.
    package static var documentedRoutes: [DocumentedRoute] {
        #if DEBUG
            return routes.map { route in
                DocumentedRoute(
                    method: route.method.name, path: route.path.text, kind: route.access.documentedKind,
                    body: route.documentedBody, takesIdempotencyKey: route.takesIdempotencyKey,
                    isCrossOrigin: route.isCrossOrigin, query: route.query + route.description.operation.query,
                    statuses: route.statuses, operation: route.description.operation)
            }
        #else
            return []
        #endif
    }
}

#if DEBUG
    extension SiteRoute {
        /// All statuses of its responses, except those that the server sends itself.
        var statuses: Set<Int> {
            access.commonStatuses(hasBody: documentedBody != nil).union(description.operation.responses.map(\.status))
        }

        fileprivate var documentedBody: DocumentedRoute.Body? {
            guard case .api(_, let body, _) = access else { return description.operation.body.map { _ in .json } }
            return switch body {
            case .none: nil
            case .json: .json
            case .mergePatch: .mergePatch
            case .upload: .upload
            case .picture: .picture
            }
        }
    }

    extension SiteRoute.Access {
        fileprivate var documentedKind: DocumentedRoute.Kind {
            switch self {
            case .api(let scopes, _, _): .api(scopes: scopes.map(\.rawValue))
            case .hoko: .hoko
            case .session: .session
            case .mcp: .mcp
            case .oauth: .visit
            case .firebase: .firebase
            case .open(let route): route.isFile ? .file : .visit
            }
        }

        /// The statuses that every route of this kind may answer.
        fileprivate func commonStatuses(hasBody: Bool) -> Set<Int> {
            switch self {
            // No key, too many requests without one, a missing scope, an unknown query parameter, an unavailable or full
            // store; a body that is not JSON, is too large, has another type, or has invalid fields.
            case .api:
                hasBody ? [400, 401, 403, 413, 415, 422, 429, 500, 503, 507] : [401, 403, 422, 429, 500, 503, 507]
            // 404: no application has the API, or there is no such record.
            case .hoko: Set([400, 401, 404, 429, 500, 503, 507]).union(hasBody ? [413] : [])
            case .firebase: Set([400, 401, 403, 404, 429, 500, 503]).union(hasBody ? [413] : [])
            case .session: [401, 403, 429, 503, 507]
            case .oauth: [429, 500, 503]
            case .mcp, .open: []
            }
        }
    }

    extension OpenRoute {
        /// Whether its errors are those of files.
        fileprivate var isFile: Bool {
            switch self {
            case .documentation, .documentationIndex, .documentationPage, .documentationSearch, .documentationStart,
                .openAPI, .file, .startPage, .associationPage, .referencePage, .rootFile, .wellKnown, .acmeChallenge:
                true
            default: false
            }
        }
    }
#endif
