import Synchronization
import Testing
import WaymarkClient
import WaymarkJSON
import WaymarkService
import WaymarkStores
import WaymarkTLS

@testable import WaymarkSite

/// Destinations that answer by the first part of the path: `/ok/…`, `/404/…`, `/loop/…`, and so on; association files as set.
final class ScriptedDestinations: HTTPSending {
    let asked = Mutex<[String]>([])
    let isFaulty = Mutex(true)
    /// Whether all hosts ask to wait.
    let isBusy = Mutex(false)
    /// Whether no robots.txt forbids anything.
    let isLetIn = Mutex(false)
    /// What others have of association files, by URL; for others the answer is 503.
    let files = Mutex<[String: HTTPResponse]>([:])
    /// One answer in so many fails, in order.
    private let failing: Int?

    init(failing: Int? = nil) { self.failing = failing }

    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        requests.map { HTTPOutcome(answer($0)) }
    }

    func obstacle(to url: String) async -> HTTPFailure? { nil }

    private func answer(_ request: HTTPRequest) -> Result<HTTPResponse, HTTPFailure> {
        let count = asked.withLock { asked in
            asked.append("\(request.method) \(request.url)")
            return asked.count
        }
        let host = HTTPTarget(request.url)?.host ?? ""
        let isFile = ["/.well-known/", "cdn-apple.com", "googleapis.com"].contains { request.url.contains($0) }
        if isFile {
            return .success(files.withLock { $0[request.url] } ?? HTTPResponse(status: 503))
        }
        if request.url.hasSuffix("/robots.txt") {
            return .success(
                isLetIn.withLock(\.self)
                    ? HTTPResponse(status: 404)
                    : HTTPResponse(status: 200, body: Array("User-agent: *\nDisallow: /secret/\n".utf8)))
        }
        if isBusy.withLock(\.self) { return .success(HTTPResponse(status: 429, fields: [("Retry-After", "120")])) }
        if let failing, count % failing == 0 { return .success(HTTPResponse(status: 502)) }
        guard isFaulty.withLock({ $0 }) else { return .success(HTTPResponse(status: 200)) }
        switch HTTPTarget(request.url)?.path.split(separator: "/").first {
        case "404": return .success(HTTPResponse(status: 404))
        case "500": return .success(HTTPResponse(status: 500))
        case "loop": return .success(HTTPResponse(status: 302, fields: [("Location", request.url)]))
        case "nowhere": return .success(HTTPResponse(status: 302, fields: [("Location", "//")]))
        case "name": return .failure(.name(host: host))
        case "refused": return .failure(.connection(.unreachable, host: host))
        case "slow": return .failure(.connection(.timeout, host: host))
        case "tls": return .failure(.connection(.encryption("the certificate has expired"), host: host))
        case "inside": return .failure(.address(.notPublic, host: host))
        case "busy": return .success(HTTPResponse(status: 429, fields: [("Retry-After", "120")]))
        case "get": return .success(HTTPResponse(status: request.method == "HEAD" ? 405 : 200))
        case "silent":
            return request.method == "HEAD"
                ? .failure(.connection(.broken, host: host)) : .success(HTTPResponse(status: 200))
        case "away":
            return .success(HTTPResponse(status: 301, fields: [("Location", "https://shop.example.com/404/away")]))
        default: return .success(HTTPResponse(status: 200))
        }
    }
}

extension VerificationSettings {
    /// Waits for nothing.
    static func impatient(_ destinations: ScriptedDestinations, hostInterval: Int64) -> VerificationSettings {
        var settings = VerificationSettings(client: destinations)
        settings.hostInterval = hostInterval
        settings.pause = { _ in }
        return settings
    }
}

extension SiteFixture {
    /// A site that verifies: without pauses, by default a request to a host at any time.
    static func verifying(
        _ destinations: ScriptedDestinations, hostInterval: Int64 = 0, applications: [String] = [shop],
        options: SiteOptions = options(), store: (any LinkStore)? = nil,
        _ test: (SiteFixture) async throws -> Void
    ) async throws {
        var background = BackgroundWork.Settings()
        background.verification = .impatient(destinations, hostInterval: hostInterval)
        try await run(
            .inProcess, applications: applications, options: options, background: background, store: store, test: test)
    }

    /// A whole round.
    func round() async { while await site.background.verifier.turn() {} }

    /// A whole round, then the second looks an hour later.
    func verify() async {
        await round()
        clock.advance(seconds: 3_600)
        await round()
    }

    /// The slugs of links in a state, in the order of their creation.
    func verified(_ state: String) async throws -> [String] {
        try await slugs("sort=createdAt&limit=200&verified=\(state)")
    }

    /// State and codes, each once.
    func verification(of slug: String, at host: String = "go.example.com") async throws -> (String?, [String]) {
        let link = try await call("GET", "/api/v1/links/\(host)/\(slug)")
        let verified = link.json["verified"]
        let codes = verified?["findings"]?.array?.compactMap { $0["code"]?.string } ?? []
        return (verified?["state"]?.string, Set(codes).sorted())
    }
}
