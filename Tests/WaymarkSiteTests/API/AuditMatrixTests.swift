import Testing
import WaymarkClient
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

@testable import WaymarkSite

/// Each route of the table that may change something leaves one entry in the audit, or is named here with a reason. No entry has
/// what is secret.
@Suite struct AuditMatrixTests {
    /// Routes without an entry, and why.
    private static let exceptions: [String: String] = [
        "POST /api/v1/resolve": "traffic of apps", "POST /api/v1/events": "traffic of apps",
        "POST /api/v1/conversions": "traffic of apps", "POST /api/v1/deferred/claim": "traffic of apps",
        "POST /api/v1/installations:forget": "DeferredLinkTests", "POST /api/v1/explain": "changes nothing",
        "POST /api/v1/links:lock": "changes no link", "POST /api/v1/association/lint": "changes nothing",
        "POST /api/v1/association/simulate": "changes nothing",
        "POST /v2/smartlinks/resolve": "traffic of apps", "POST /v2/smartlinks/redeem": "traffic of apps",
        "POST /v2/smartlinks/open": "traffic of apps", "POST /v2/installs/ios": "traffic of apps",
        "POST /v2/installs/android": "traffic of apps", "POST /v1/reopenAttribution": "traffic of apps",
        "POST /v1/exchangeShortLink": "traffic of apps", "POST /v1/installAttribution": "traffic of apps",
        "POST /_/mcp": "its tools are calls of other routes", "DELETE /_/mcp": "is always refused",
        "POST /_/session/options": "stores nothing", "POST /_/passkeys/options": "stores nothing",
        "POST /_/passkeys": "needs an authenticator: PasskeyTests",
        "PUT /api/v1/apps/{id}/logo": "written as UTM templates are",
        "DELETE /api/v1/apps/{id}/logo": "written as UTM templates are", "POST /_/report": "reads",
        "POST /_/oauth/register": "a program may do nothing before a person allows it",
        "DELETE /api/v1/programs/{id}": "AllowedProgramTests",
        "DELETE /api/v1/people/{id}/programs/{program}": "AllowedProgramTests",
        "POST /_/oauth/authorize": "OAuthTests", "POST /_/oauth/token": "traffic of programs",
        "POST /_/oauth/revoke": "traffic of programs", "POST /{slug}": "a visitor's password",
        "POST /api/v1/links/{domain}/{slug}:rehearse": "changes nothing",
        "POST /api/v1/links/{domain}/{slug}:verify": "changes no link",
        "POST /api/v1/changes:plan": "changes nothing", "POST /api/v1/changes:rehearse": "changes nothing",
        "POST /api/v1/explain:difference": "changes nothing",
        "POST /api/v1/changes/{hash}:confirm": "needs a person's session: PlannedChangeTests",
        "POST /api/v1/imports": "AuditTests", "DELETE /api/v1/imports/{id}": "AuditTests",
    ]

    /// In everything that must not be in an entry.
    private static let secret = "planted"

    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]

    /// A call, and what its entry must have.
    private struct Step {
        let route: String
        let target: String
        var body: String?
        let action: String
        let type: String
        var id: String?
        var app: String? = "shop"
        var status = 200
        /// `Authorization`; nil: that of the administrator.
        var authorization: String?
    }

    private static let shop = SiteFixture.shop.replacing(
        #""name": "Shop","#,
        with:
            #""name": "Shop", "hoko": {"enabled": true}, "firebase": {"enabled": true, "apiKeys": ["planted-google-key-0123456789"]},"#
    )

    private func entries(_ fixture: SiteFixture) async throws -> [JSONValue] {
        let answer = try await fixture.call("GET", "/api/v1/audit?limit=200")
        try #require(answer.status == 200, "\(answer.text)")
        #expect(!answer.text.contains(Self.secret), "\(answer.text)")
        return try #require(answer.json["entries"]?.array)
    }

    @Test func `each call that changes something has one entry`() async throws {
        var options = SiteFixture.options()
        options.certificates = RevokedCertificates()
        var background = BackgroundWork.Settings()
        background.client = UnusedClient()
        try await SiteFixture.run(.inProcess, applications: [Self.shop], options: options, background: background) {
            fixture in
            var covered = Set(Self.exceptions.keys)
            func check(_ step: Step) async throws -> TestAnswer {
                covered.insert(step.route)
                let before = try await entries(fixture).count
                let method = String(step.route.prefix { $0 != " " })
                let headers = step.authorization.map { [("Authorization", $0)] } ?? []
                let answer = try await fixture.call(
                    method, step.target, step.body, key: step.authorization == nil ? SiteFixture.adminKey : nil,
                    headers: headers)
                #expect(answer.status == step.status, "\(step.route): \(answer.text)")
                let after = try await entries(fixture)
                #expect(after.count == before + 1, "\(step.route) leaves \(after.count - before) entries")
                let entry = try #require(after.first)
                #expect(entry["action"]?.string == step.action, "\(step.route): \(entry.text())")
                #expect(entry["object"]?["type"]?.string == step.type, "\(step.route): \(entry.text())")
                if let id = step.id { #expect(entry["object"]?["id"]?.string == id, "\(step.route): \(entry.text())") }
                #expect(entry["app"]?.string == step.app, "\(step.route): \(entry.text())")
                #expect(entry["address"]?.string == "loopback", "\(step.route): \(entry.text())")
                if step.authorization == nil {
                    #expect(entry["by"]?["key"]?["id"] == "environment", "\(step.route): \(entry.text())")
                    #expect(entry["by"]?["via"] == "key", "\(step.route): \(entry.text())")
                }
                return answer
            }
            let link =
                #"{"app": "shop", "slug": "a", "urls": {"web": "https://a.example/"}, "metadata": {"c": "planted"}}"#
            _ = try await check(
                Step(
                    route: "POST /api/v1/links", target: "/api/v1/links", body: link, action: "link.created",
                    type: "link", id: "go.example.com/a", status: 201))
            for (route, slug) in [("{domain}/{slug}", "go.example.com/a"), ("{slug}", "a")] {
                _ = try await check(
                    Step(
                        route: "PATCH /api/v1/links/\(route)", target: "/api/v1/links/\(slug)",
                        body: #"{"title": "A \#(route.count)", "metadata": {"d": "planted"}}"#, action: "link.changed",
                        type: "link", id: "go.example.com/a"))
            }
            _ = try await check(
                Step(
                    route: "POST /api/v1/links/{domain}/{slug}:rename", target: "/api/v1/links/go.example.com/a:rename",
                    body: #"{"slug": "b"}"#, action: "link.renamed", type: "link", id: "go.example.com/b"))
            let restored = try await check(
                Step(
                    route: "POST /api/v1/links/{domain}/{slug}:restore",
                    target: "/api/v1/links/go.example.com/b:restore", body: #"{"version": 1}"#,
                    action: "link.changed", type: "link", id: "go.example.com/a"))
            #expect(restored.json["slug"]?.string == "a")
            _ = try await fixture.call(
                "POST", "/api/v1/links/go.example.com/a:rename", #"{"slug": "b"}"#)
            _ = try await check(
                Step(
                    route: "POST /api/v1/links:batch", target: "/api/v1/links:batch",
                    body:
                        #"[\#(link), \#(link.replacing(#""a""#, with: #""c""#)), {"app": "shop", "slug": "d", "urls": {"web": "https://a.example/"}}]"#,
                    action: "link.created", type: "links"))
            _ = try await check(
                Step(
                    route: "PATCH /api/v1/links:batch", target: "/api/v1/links:batch",
                    body: #"{"select": {"app": "shop"}, "patch": {"metadata": {"e": "planted"}}, "addTags": ["t"]}"#,
                    action: "link.changed", type: "links"))
            _ = try await check(
                Step(
                    route: "DELETE /api/v1/links/{domain}/{slug}", target: "/api/v1/links/go.example.com/c",
                    action: "link.deleted", type: "link", id: "go.example.com/c", status: 204))
            _ = try await check(
                Step(
                    route: "DELETE /api/v1/links/{slug}", target: "/api/v1/links/d", action: "link.deleted",
                    type: "link",
                    id: "go.example.com/d", status: 204))
            _ = try await check(
                Step(
                    route: "POST /api/v1/links:delete", target: "/api/v1/links:delete",
                    body: #"{"select": {"app": "shop"}}"#, action: "link.deleted", type: "links"))

            let key = try await check(
                Step(
                    route: "POST /api/v1/keys", target: "/api/v1/keys",
                    body:
                        #"{"name": "CI", "scopes": ["links"], "app": "shop", "platform": "iphone", "key": "wm_planted0000000000000000000000000000000000000"}"#,
                    action: "key.created", type: "key", status: 201))
            let keyID = try #require(key.json["id"]?.string)
            let token = try #require(key.json["key"]?.string)
            _ = try await check(
                Step(
                    route: "POST /v2/smartlinks", target: "/v2/smartlinks",
                    body:
                        #"{"uri": "sale", "routes": {"web": {"link": "https://a.example/"}}, "metadata": {"f": "planted"}}"#,
                    action: "link.created", type: "link", authorization: "Token \(token)"))
            _ = try await check(
                Step(
                    route: "POST /v2/routes", target: "/v2/routes",
                    body:
                        #"{"route": {"build": "1", "device": "iPhone", "path": "products/:id", "url_schemes": ["shop"], "version": "1.0"}}"#,
                    action: "route.registered", type: "route", authorization: "Token \(token)"))
            #expect(try await entries(fixture).first?["by"]?["key"]?["id"]?.string == keyID)
            for (route, body) in [
                ("shortLinks", #"{"longDynamicLink": "https://go.example.com/?link=https://shop.example.com/page"}"#),
                (
                    "managedShortLinks:create",
                    #"{"name": "m", "longDynamicLink": "https://go.example.com/?link=https://shop.example.com/page2"}"#
                ),
            ] {
                _ = try await check(
                    Step(
                        route: "POST /v1/\(route)", target: "/v1/\(route)", body: body, action: "link.created",
                        type: "link"))
            }
            _ = try await check(
                Step(
                    route: "DELETE /api/v1/keys/{id}", target: "/api/v1/keys/\(keyID)", action: "key.revoked",
                    type: "key", id: keyID, status: 204))

            let webhook = try await check(
                Step(
                    route: "POST /api/v1/webhooks", target: "/api/v1/webhooks",
                    body: #"{"url": "https://a.example/hook?planted", "events": ["link.created"], "app": "shop"}"#,
                    action: "webhook.created", type: "webhook", status: 201))
            let webhookID = try #require(webhook.json["id"]?.string)
            let secret = try #require(webhook.json["secret"]?.string)
            for (method, route, body, action, status) in [
                ("PATCH", "", #"{"name": "Hook"}"#, "changed", 200), ("POST", ":rotate", nil, "rotated", 200),
                ("POST", ":test", nil, "tested", 202),
                ("POST", "/deliveries:replay", #"{"since": "2026-11-01T00:00:00Z"}"#, "replayed", 202),
                ("DELETE", "", nil, "deleted", 204),
            ] as [(String, String, String?, String, Int)] {
                _ = try await check(
                    Step(
                        route: "\(method) /api/v1/webhooks/{id}\(route)",
                        target: "/api/v1/webhooks/\(webhookID)\(route)",
                        body: body, action: "webhook.\(action)", type: "webhook", id: webhookID, status: status))
            }
            let whole = try await fixture.call("GET", "/api/v1/audit?limit=200")
            #expect(!whole.text.contains(secret) && !whole.text.contains(token))

            let person = try await check(
                Step(
                    route: "POST /api/v1/people", target: "/api/v1/people",
                    body: #"{"name": "Ana", "memberships": [{"app": "shop", "role": "viewer"}]}"#,
                    action: "person.created", type: "person", status: 201))
            let id = try #require(person.json["id"]?.string)
            _ = try await check(
                Step(
                    route: "PATCH /api/v1/people/{id}", target: "/api/v1/people/\(id)", body: #"{"name": "Ana B."}"#,
                    action: "person.changed", type: "person", id: id))
            let invited = try await check(
                Step(
                    route: "POST /api/v1/people:invite", target: "/api/v1/people:invite",
                    body: #"{"person": "\#(id)"}"#, action: "person.invited", type: "person", id: id, status: 201))
            let invitation = try #require(invited.json["link"]?.string?.split(separator: "=").last.map(String.init))
            #expect(!(try await fixture.call("GET", "/api/v1/audit")).text.contains(invitation))
            _ = try await check(
                Step(
                    route: "DELETE /api/v1/people/{id}", target: "/api/v1/people/\(id)", action: "person.deleted",
                    type: "person", id: id, status: 204))

            _ = try await check(
                Step(
                    route: "POST /api/v1/domains/{domain}:revoke", target: "/api/v1/domains/go.example.com:revoke",
                    body: #"{"reason": "keyCompromise"}"#, action: "certificate.revoked", type: "domain",
                    id: "go.example.com", status: 204))
            _ = try await check(
                Step(
                    route: "PUT /api/v1/apps/{id}", target: "/api/v1/apps/news",
                    body:
                        #"{"domains": ["news.example.com"], "firebase": {"enabled": true, "apiKeys": ["planted-google-key-1123456789"]}}"#,
                    action: "application.created", type: "application", id: "news", app: "news", status: 201))
            for (method, name, body, status) in [
                ("PUT", "utm-templates", #"{"templates": [{"name": "Mail", "campaign": {"source": "mail"}}]}"#, 200)
            ] {
                _ = try await check(
                    Step(
                        route: "\(method) /api/v1/apps/{id}/\(name)", target: "/api/v1/apps/news/\(name)", body: body,
                        action: "application.changed", type: "application", id: "news", app: "news", status: status))
            }
            let shared = try await check(
                Step(
                    route: "POST /api/v1/reports", target: "/api/v1/reports",
                    body: #"{"title": "Board", "query": "top=links"}"#, action: "report.shared", type: "report",
                    app: nil, status: 201))
            let reportID = try #require(shared.json["id"]?.string)
            let reportToken = try #require(shared.json["link"]?.string?.split(separator: "=").last.map(String.init))
            #expect(!(try await fixture.call("GET", "/api/v1/audit")).text.contains(reportToken))
            _ = try await check(
                Step(
                    route: "DELETE /api/v1/reports/{id}", target: "/api/v1/reports/\(reportID)",
                    action: "report.ended", type: "report", id: reportID, app: nil, status: 204))
            _ = try await check(
                Step(
                    route: "DELETE /api/v1/apps/{id}", target: "/api/v1/apps/news", action: "application.deleted",
                    type: "application", id: "news", app: "news", status: 204))

            // Sessions say by themselves who it is.
            let signIn = try await fixture.call(
                "POST", "/_/session", #"{"key": "\#(SiteFixture.adminKey)"}"#, key: nil)
            #expect(signIn.status == 204)
            let started = try #require(try await entries(fixture).first)
            #expect(started["action"] == "session.started" && started["by"]?["key"]?["id"] == "environment")
            #expect(started["by"]?["via"] == "signIn" && started["app"]?.isNull == true)
            let cookie = ("Cookie", String(try #require(signIn[header: "Set-Cookie"]).prefix { $0 != ";" }))
            _ = try await fixture.call("DELETE", "/_/session", key: nil, headers: [cookie] + Self.marks)
            let ended = try #require(try await entries(fixture).first)
            #expect(ended["action"] == "session.ended" && ended["by"]?["via"] == "session")
            #expect(ended["object"] == started["object"])
            covered.formUnion(["POST /_/session", "DELETE /_/session"])

            for route in Site.routes where !route.method.isSafe {
                let name = "\(route.method.name) \(route.path.text)"
                #expect(covered.contains(name), "\(name) has neither a step nor a reason to have no entry")
            }
        }
    }
}

private struct UnusedClient: HTTPSending {
    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] { [] }

    func obstacle(to url: String) async -> HTTPFailure? { nil }
}

/// Revokes the certificate of any host.
private struct RevokedCertificates: DomainCertificates {
    let additionalHosts: [String] = []
    func statuses(of hosts: [String]) -> [DomainStatus] { hosts.map { _ in DomainStatus() } }
    func keyAuthorization(for token: String, at host: String) async -> String? { nil }
    func revokeCertificate(of host: String, reason: RevocationReason) async -> RevocationOutcome { .revoked }
}
