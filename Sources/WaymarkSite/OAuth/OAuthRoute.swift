import Logging
import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkServer
import WaymarkService
import WaymarkStores

/// What a request about OAuth asks for.
enum OAuthCall: Sendable {
    case protectedResource, authorizationServer
    case register, authorize, token, revoke
}

/// OAuth 2.1 for `/_/mcp`: metadata, registration, consent and tokens (docs/decisions/2026-11-28-oauth.md).
struct OAuthRoute {
    let site: Site

    var assistants: Assistants { site.service.assistants }

    /// In bytes.
    static let registrationLimit = 16_384
    static let formLimit = 16_384

    func respond(to call: OAuthCall, _ head: RequestHead, in bytes: Span<UInt8>, from peer: Peer) -> Reply {
        let resource = OAuthResource(head, bytes, peer)
        switch call {
        case .protectedResource: return .now(.json(.ok, resource.protectedResource.bytes()))
        case .authorizationServer: return .now(.json(.ok, resource.authorizationServer.bytes()))
        case .register: return register(head, bytes, peer)
        case .authorize: return authorize(head, bytes, peer, resource)
        case .token: return token(head, bytes, peer, resource)
        case .revoke: return revoke(head, bytes, peer)
        }
    }

    /// Answers for a program: refusals are JSON, and counted by address, because anybody can cause them.
    func run(_ peer: Peer, _ answer: () async throws -> Response) async -> Response {
        do {
            return try await answer()
        } catch let error as OAuthError {
            if let seconds = site.callers.take(.failedAuthentication, peer) { return .rateLimited(retryAfter: seconds) }
            return error.response
        } catch {
            return APIRoute.response(to: error, site)
        }
    }

    /// Why the body is not read as a form.
    func formProblem(_ head: RequestHead, _ bytes: Span<UInt8>) -> Response? {
        let type = head.text(.contentType, in: bytes)?.prefix { $0 != ";" }.lowercased() ?? ""
        let isForm = type.split(separator: " ").first == "application/x-www-form-urlencoded"
        guard isForm, !head.isRepeated(.contentType) else {
            return .problem(.mediaTypeUnsupported, "The Content-Type must be application/x-www-form-urlencoded.")
        }
        do throws(Problem) {
            try APIRoute.checkCoding(head, bytes)
            return nil
        } catch {
            return .problem(error)
        }
    }
}
