import Testing
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

@testable import WaymarkService
@testable import WaymarkSite

/// What each kind of person may do with each application by each route of the table, compared with the roles alone.
@Suite struct AuthorizationMatrixTests {
    private static let marks = [("X-Waymark-Dashboard", "1"), ("Sec-Fetch-Site", "same-origin")]
    private static let applications = ["shop", "news"]

    /// A person with these roles: by application, or for all of them ("").
    struct Kind: CustomTestStringConvertible {
        let roles: [String: PersonRole]

        var testDescription: String {
            roles.isEmpty
                ? "nothing" : roles.map { "\($1) of \($0.isEmpty ? "all" : $0)" }.sorted().joined(separator: ", ")
        }

        var memberships: String {
            roles.sorted { $0.key < $1.key }.map { application, role in
                #"{"app": \#(application.isEmpty ? "null" : "\"\(application)\""), "role": "\#(role)"}"#
            }.joined(separator: ", ")
        }

        /// Whether the person may do one of these with the application.
        func may(_ scopes: [KeyScope], in application: String) -> Bool {
            roles.contains { name, role in
                (name.isEmpty || name == application)
                    && scopes.contains { KeyIdentity.reach(of: [role.scope]).contains($0) }
            }
        }

        static let all =
            PersonRole.allCases.flatMap { [Kind(roles: ["shop": $0]), Kind(roles: ["": $0])] } + [
                Kind(roles: ["shop": .viewer, "news": .editor]), Kind(roles: ["shop": .admin, "news": .viewer]),
                Kind(roles: ["": .viewer, "news": .admin]),
            ]
    }

    /// What an application has, which paths and bodies name.
    private struct Belongings {
        let application: String
        let domain: String
        let slug: String
        let webhook: String
        let key: String
        let person: String
    }

    @Test(arguments: Kind.all, TestDatabase.installed)
    func rolesDecideEachRouteAndApplication(kind: Kind, database: TestDatabase) async throws {
        try await database.withStore { store in
            // Links are walked without the network.
            try await SiteFixture.verifying(
                ScriptedDestinations(), applications: [SiteFixture.shop, SiteFixture.news], store: store
            ) { try await check(kind, $0) }
        }
    }

    private func check(_ kind: Kind, _ fixture: SiteFixture) async throws {
        let made = try await fixture.call(
            "POST", "/api/v1/people", #"{"name": "Ana", "memberships": [\#(kind.memberships)]}"#)
        let id = try #require(made.json["id"]?.string, "\(made.text)")
        guard case .started(let secret, _) = try await fixture.service.keys.signIn(id) else {
            Issue.record("the person can't sign in")
            return
        }
        let session = [("Cookie", "waymark=\(secret.text)")] + Self.marks
        var known: [String: Belongings] = [:]
        for route in Site.routes {
            guard case .api(let scopes, let body, _) = route.access, route.path.text != "/api/v1/clicks/live" else {
                continue
            }
            for application in Self.applications {
                let own: Belongings
                if let same = known[application] {
                    own = same
                } else {
                    own = try await belongings(of: application, fixture)
                    known[application] = own
                }
                // The call may take away what others name.
                if route.method == .delete || route.path.text.hasSuffix(":rename") { known[application] = nil }
                let name = "\(route.method.name) \(route.path.text) \(application)"
                let answer = try await fixture.call(
                    route.method.name, path(route, own), body == .none ? nil : self.body(route, own), key: nil,
                    headers: session + (body == .picture ? [("Content-Type", "image/svg+xml")] : []))
                guard kind.may(scopes, in: "shop") || kind.may(scopes, in: "news") else {
                    #expect(answer.json["type"] == "urn:waymark:problem:scope-missing", "\(name): \(answer.text)")
                    continue
                }
                let may = kind.may(scopes, in: application)
                if let marker = marker(route, own) {
                    #expect(answer.status == 200, "\(name): \(answer.text)")
                    #expect(answer.text.contains(marker) == may, "\(name): \(answer.text)")
                } else if isBound(route) {
                    // Precondition, shape and state come after the right to know.
                    let unknown = "urn:waymark:problem:resource-unknown"
                    let isUnknown = answer.status == 404 && answer.json["type"]?.string != unknown
                    let isRefused = answer.status == 403 || isUnknown || namesApplication(answer)
                    #expect(isRefused == !may, "\(name): \(answer.status) \(answer.text)")
                }
            }
        }
    }

    private func belongings(of application: String, _ fixture: SiteFixture) async throws -> Belongings {
        let link = try await fixture.create(
            #"{"app": "\#(application)", "urls": {"web": "https://a.example/"}, "folder": "of-\#(application)"}"#)
        let webhook = try await fixture.call(
            "POST", "/api/v1/webhooks",
            #"{"url": "https://a.example/", "events": ["link.created"], "app": "\#(application)"}"#)
        let key = try await fixture.call(
            "POST", "/api/v1/keys", #"{"name": "k", "scopes": ["read"], "app": "\#(application)"}"#)
        let person = try await fixture.call(
            "POST", "/api/v1/people",
            #"{"name": "Bea", "memberships": [{"app": "\#(application)", "role": "viewer"}]}"#)
        let own = Belongings(
            application: application, domain: try #require(link["domain"]?.string),
            slug: try #require(link["slug"]?.string),
            webhook: try #require(webhook.json["id"]?.string, "\(webhook.text)"),
            key: try #require(key.json["id"]?.string), person: try #require(person.json["id"]?.string))
        return own
    }

    private func path(_ route: SiteRoute, _ own: Belongings) -> String {
        let path = route.path.text
        let id =
            path.hasPrefix("/api/v1/apps")
            ? own.application
            : path.hasPrefix("/api/v1/keys")
                ? own.key
                : path.hasPrefix("/api/v1/people")
                    ? own.person
                    : path.hasPrefix("/api/v1/webhooks") ? own.webhook : "0123456789ab"
        return path.replacing("{domain}", with: own.domain).replacing("{slug}", with: own.slug)
            .replacing("{id}", with: id)
    }

    /// A body that names the application, where the route takes one; otherwise one that is refused for its shape.
    private func body(_ route: SiteRoute, _ own: Belongings) -> String {
        switch route.path.text {
        case "/api/v1/links": #"{"app": "\#(own.application)", "urls": {"web": "https://a.example/"}}"#
        case "/api/v1/links:batch" where route.method == .post:
            #"{"links": [{"app": "\#(own.application)", "urls": {"web": "https://a.example/"}}]}"#
        case "/api/v1/keys": #"{"name": "k", "scopes": ["read"], "app": "\#(own.application)"}"#
        case "/api/v1/webhooks":
            #"{"url": "https://a.example/", "events": ["link.created"], "app": "\#(own.application)"}"#
        case "/api/v1/people":
            #"{"name": "Cem", "memberships": [{"app": "\#(own.application)", "role": "viewer"}]}"#
        case "/api/v1/people:invite": #"{"name": "Cem", "app": "\#(own.application)", "role": "viewer"}"#
        case "/api/v1/apps/{id}" where route.method == .put:
            #"{"domains": ["\#(own.domain)"], "baseURL": "https://\#(own.domain)"}"#
        case "/api/v1/links/{domain}/{slug}:rename": #"{"slug": "\#(own.slug)-2"}"#
        case "/api/v1/links/{domain}/{slug}:restore": #"{"version": 1}"#
        case "/api/v1/links/{domain}/{slug}:rehearse": #"{"patch": {}}"#
        case "/api/v1/association/lint": #"{"application": "\#(own.application)", "kind": "assetlinks.json"}"#
        default: "{}"
        }
    }

    /// Whether path or body name an application, so that the response says whether it may be used.
    private func isBound(_ route: SiteRoute) -> Bool {
        let path = route.path.text
        // Answered for whoever may ask anything, or by an ID that nobody has.
        let unbound = [
            "/api/v1/resolve", "/api/v1/events", "/api/v1/conversions", "/api/v1/deferred/claim", "/api/v1/explain",
            "/api/v1/installations:forget",
            "/api/v1/imports", "/api/v1/imports/{id}", "/api/v1/association/simulate", "/api/v1/links:delete",
            "/api/v1/domains/{domain}:revoke", "/api/v1/links:batch", "/api/v1/clicks", "/api/v1/reports",
            "/api/v1/reports/{id}", "/api/v1/programs", "/api/v1/programs/{id}",
            "/api/v1/explain:difference",
            // PlannedChangeTests.
            "/api/v1/changes:plan", "/api/v1/changes:rehearse", "/api/v1/changes", "/api/v1/changes/{hash}:confirm",
            // Of the whole database: ManagedLinkTests.
            "/api/v1/links:lock",
            // AuditTests.
            "/api/v1/audit",
        ]
        return !unbound.contains(path)
    }

    /// What a list has of the application; nil if the route is no list.
    private func marker(_ route: SiteRoute, _ own: Belongings) -> String? {
        guard route.method == .get else { return nil }
        return switch route.path.text {
        case "/api/v1/links": own.slug
        case "/api/v1/apps": #""id":"\#(own.application)""#
        case "/api/v1/domains": own.domain
        case "/api/v1/folders": "of-\(own.application)"
        case "/api/v1/keys": own.key
        case "/api/v1/people": own.person
        case "/api/v1/webhooks": own.webhook
        default: nil
        }
    }

    /// Whether the response calls the application unknown.
    private func namesApplication(_ answer: TestAnswer) -> Bool {
        answer.status == 422
            && answer.json["errors"]?.array?.contains { $0["field"]?.string?.contains("app") ?? false } == true
    }
}
