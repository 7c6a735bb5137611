import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON

@testable import WaymarkKit

/// Why a link did not open, without anything private.
@MainActor
@Suite struct DiagnosticTests {
    private let smartlink = "https://go.example.com/Ab3dE9x?coupon=SECRET"

    private final class Lines: Sendable {
        private let lines = LockedValue<[LinkDiagnostic]>([])
        var all: [LinkDiagnostic] { lines.withLock { $0 } }
        func add(_ line: LinkDiagnostic) { lines.withLock { $0.append(line) } }
    }

    private func client(
        _ transport: any HTTPTransport, app: String? = "shop", now: Double = 1_795_255_200,
        onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)? = nil
    ) throws -> WaymarkClient {
        try WaymarkClient(
            service: "https://go.example.com", key: "wm_0123456789abcdefghijklmnopqrstuv",
            options: ClientOptions(app: app, sendsEvents: false), storage: MemoryStorage(),
            transport: transport,
            clock: StandInClock(now), onDiagnostic: onDiagnostic)
    }

    @Test func stepsOfClientAndRouterSayNothingPrivate() async throws {
        let lines = Lines()
        let transport = StandInTransport(faults: [.notSent(.timedOut)])
        let client = try client(transport) { lines.add($0) }
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        try deeplinking.map("products/:product_id") { _ in }
        _ = await deeplinking.open(resolving: smartlink)
        deeplinking.open("fb1://authorize?code=SECRET")
        #expect(
            lines.all.map(\.step) == [
                .resolving, .request, .response, .retry, .response, .resolved, .opened, .notHandled,
            ])
        #expect(lines.all.map(\.status) == [nil, nil, nil, nil, 200, nil, nil, nil])
        #expect(lines.all[2].error == "timedOut")
        #expect(lines.all[6].route == "products/:product_id")
        #expect(Set(lines.all.compactMap(\.host)) == ["go.example.com"])
        #expect(!"\(lines.all)".contains("SECRET"))
        #expect(!"\(lines.all)".contains("wm_0"))
        #expect("\(lines.all[6])" == "opened host=go.example.com route=products/:product_id")
    }

    @Test func requestsNameTheLibraryAndItsVersion() async throws {
        let transport = StandInTransport()
        _ = try await client(transport).resolve(smartlink)
        let agent = try #require(transport.requests.first?.fields["User-Agent"])
        #expect(agent.hasPrefix("WaymarkKit/\(WaymarkClient.version) ("))
        #expect(agent.hasSuffix(")"))
        #expect(agent.utf8.allSatisfy { (0x20...0x7E).contains($0) })
    }

    @Test func explanationNamesWhatDecided() async throws {
        let deeplinking = Deeplinking(urlSchemes: ["shop"], domains: ["go.example.com"])
        try deeplinking.map("products/:id") { _ in }
        #expect("\(deeplinking.explain("fb1://x"))" == "is not handled: its scheme fb1 is none of shop")
        #expect(
            "\(deeplinking.explain("https://www.example.com/products/1"))"
                == "opens products/:id: its host www.example.com is not one of the domains (go.example.com), "
                + "so it is read as a link of the app")
        let explanation = await deeplinking.explain(resolving: smartlink)
        #expect(explanation.outcome == .resolves)
        #expect("\(explanation)" == "asks the service: its host go.example.com is one of the domains")
        #expect(deeplinking.currentDeeplink == nil)
    }

    @Test func explanationTakesNoRedeemAndStoresNothing() async throws {
        let transport = StandInTransport()
        let storage = MemoryStorage()
        let client = try WaymarkClient.standIn(transport, storage: storage)
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        try deeplinking.map("products/:product_id") { _ in }
        #expect(await deeplinking.explain(resolving: smartlink).route == "products/:product_id")
        #expect(transport.redeemed == 0)
        for name in ["links", "requests", "events", "installation"] { #expect(storage.read(name) == nil) }
    }

    // MARK: Check

    /// Answers of the service to the two requests of a check.
    private func service(
        resolve: TransportResponse? = nil, application: String? = nil
    ) -> StandInTransport {
        let unknown = StandInTransport.refusal(Problem(.linkUnknown, "There is none."))
        let forbidden = StandInTransport.refusal(Problem(.scopeMissing, "It lacks a scope."))
        return StandInTransport(faults: [
            .answers(resolve ?? unknown),
            .answers(application.map { StandInTransport.answer(200, Array($0.utf8)) } ?? forbidden),
        ])
    }

    private func findings(_ transport: any HTTPTransport, app: String? = "shop", now: Double = 1_795_255_200)
        async throws -> [LinkFinding.Check: LinkFinding]
    {
        let client = try client(transport, app: app, now: now)
        let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"], openingTimeLimit: .seconds(3_600))
        try deeplinking.map("products/:product_id") { _ in }
        var lines: [String] = []
        let findings = await client.check(deeplinking) { lines.append($0) }
        #expect(lines.first == "go.example.com")
        #expect(lines.dropFirst().map { $0 } == findings.map(\.description))
        #expect(findings.map(\.check) == LinkFinding.Check.allCases)
        #expect(findings.allSatisfy { ($0.fix != nil) == ($0.state == .finding) })
        return Dictionary(findings.map { ($0.check, $0) }) { first, _ in first }
    }

    @Test func checkFindsNothingWhereAllIsWell() async throws {
        let application =
            #"{"id":"shop","name":"Shop","domains":["go.example.com"],"ios":{"urlScheme":"shop"}}"#
        let transport = service(application: application)
        let findings = try await findings(transport)
        #expect(findings.values.allSatisfy { $0.state == .ok || $0.check == .clock })
        #expect(findings[.scheme]?.description == "  ok       scheme   shop")
        #expect(transport.requests.map(\.method) == ["POST", "GET"])
        #expect(transport.requests.last?.url == "https://go.example.com/api/v1/apps/shop")
        #expect(transport.redeemed == 0)
    }

    @Test(arguments: [
        (
            #"{"domains":["go.example.com","www.go.example.com"]}"#, LinkFinding.Check.domains,
            "the router lacks www.go.example.com"
        ),
        (#"{"domains":["other.example"]}"#, .domains, "the router lacks other.example"),
        (
            #"{"domains":["go.example.com"],"ios":{"urlScheme":"store"}}"#, .scheme,
            "the router lacks the application's scheme store"
        ),
        (
            #"{"domains":["go.example.com"],"urlSchemes":{"ios":"store","android":"shop"}}"#, .scheme,
            "the router lacks the application's scheme store"
        ),
    ])
    func checkComparesTheApplication(application: String, check: LinkFinding.Check, detail: String)
        async throws
    {
        let findings = try await findings(service(application: application))
        #expect(findings[check]?.state == .finding)
        #expect(findings[check]?.detail == detail)
    }

    @Test func checkSaysWhatIsWrongWithTheService() async throws {
        let portal = TransportResponse(
            status: 200, fields: ["Content-Type": "text/html"], body: Array("<html>".utf8))
        #expect(try await findings(service(resolve: portal))[.service]?.state == .finding)
        #expect(
            try await findings(StandInTransport(faults: [.notSent(.offline), .notSent(.offline)]))[.service]?
                .state
                == .finding)
        for type in [ProblemType.keyUnknown, .scopeMissing] {
            let findings = try await findings(
                service(resolve: StandInTransport.refusal(Problem(type, "No."))))
            #expect(findings[.service]?.state == .ok)
            #expect(findings[.key]?.state == .finding)
        }
        let dated = TransportResponse(
            status: 404,
            fields: ["Content-Type": "application/problem+json", "Date": "Sat, 21 Nov 2026 10:00:00 GMT"],
            body: Problem(.linkUnknown, "There is none.").json)
        #expect(try await findings(service(resolve: dated))[.clock]?.state == .ok)
        #expect(try await findings(service(resolve: dated), now: 1_795_255_600)[.clock]?.state == .finding)
    }

    @Test func checkSkipsWhatTheKeyMayNotRead() async throws {
        let findings = try await findings(service())
        #expect(findings[.app]?.state == .skipped)
        #expect(findings[.domains]?.state == .skipped)
        #expect(try await self.findings(service(), app: nil)[.app]?.detail == "ClientOptions.app is not set")
    }
}
