import Testing
import WaymarkBytes
import WaymarkClient
import WaymarkLinks

@testable import WaymarkImports

/// Wrong imports, and whether visits show them.
@Suite struct PlantedLinkTests {
    // 2026-11-21T10:00:00Z.
    private static let now = Timestamp(seconds: 1_795_255_200)

    /// What visits show of a source whose links are stored so.
    ///
    /// - Parameter ignoresCase: of the application; nil: as the service does.
    private func differences(
        of planted: PlantedLink, stored: String, ignoresCase: Bool? = nil
    ) async throws -> [VisitDifference] {
        let application = Shop.application()
        let target = try await MemoryTarget(application)
        let format: ForeignService = planted.service == .fdl ? .fdl : .waymark
        let results = try await LinkImport(into: target, Shop.preparation(application), isDryRun: false)
            .results(try await format.links(in: [file(stored)]))
        #expect(results.allSatisfy { $0.outcome == .created }, "\(results)")
        let server = VisitedServer(
            target: target, application: application, ignoresCase: ignoresCase ?? (planted.service == .dub),
            now: Self.now)
        let verification = LinkVerification(planted.service, on: Shop.host.text, time: ForeignTime())
        var found: [VisitDifference] = []
        for row in try await planted.rows() {
            let plan = verification.plan(row, now: Self.now)
            var visitors: [String: Int] = [:]
            for visit in plan.visits {
                let answer = try await server.answer(to: visit)
                if let url = visit.destination(.success(answer), now: Self.now) { visitors[url, default: 0] += 1 }
                let difference = visit.difference(.success(answer), base: "https://go.example.com", now: Self.now)
                if let difference { found.append(difference) }
            }
            if let missing = plan.draw?.difference(visitors, base: "https://go.example.com") {
                found.append(missing)
            }
        }
        return found
    }

    @Test(arguments: PlantedLink.all) func aRightImportHasNoDifference(planted: PlantedLink) async throws {
        let found = try await differences(of: planted, stored: planted.right)
        #expect(found.isEmpty, "\(found)")
    }

    @Test(arguments: PlantedLink.all) func everyWrongImportIsFound(planted: PlantedLink) async throws {
        for (name, stored) in planted.wrong {
            let found = try await differences(of: planted, stored: stored)
            #expect(!found.isEmpty, "\(planted.service): \(name)")
        }
    }

    @Test(arguments: [ForeignService.dub, .shortio]) func aTestThatIsMissingIsOneDifference(
        service: ForeignService
    ) async throws {
        let planted = try #require(PlantedLink.all.last { $0.service == service })
        let stored = planted.right.replacing("\"percentage\": 50", with: "\"percentage\": 1")
        let found = try await differences(of: planted, stored: stored)
        #expect(found.map(\.expected) == ["https://shop.example.com/b"] && found.count == 1, "\(found)")
    }

    @Test func anExpiredLinkIsVisitedOnceOnEachDevice() async throws {
        var dub = try #require(PlantedLink.all.first { $0.service == .dub })
        dub.source = dub.source.replacing("\"key\"", with: "\"expiresAt\": \"2020-01-01\", \"key\"")
        let row = try #require(try await dub.rows().first)
        let verification = LinkVerification(.dub, on: Shop.host.text, time: ForeignTime())
        #expect(verification.plan(row, now: Self.now).visits.map(\.device) == VisitDevice.allCases)
    }

    @Test func theCaseThatDubIgnoresIsOneDifference() async throws {
        let dub = try #require(PlantedLink.all.first { $0.service == .dub })
        let found = try await differences(of: dub, stored: dub.right, ignoresCase: false)
        #expect(found.map(\.smartlink) == ["https://go.example.com/AB"])
    }

    @Test func thereAreThirtyWrongImportsOfTenSources() {
        let counts = Dictionary(grouping: PlantedLink.all, by: \.service).mapValues {
            $0.reduce(0) { $0 + $1.wrong.count }
        }
        #expect(counts.count == 10 && counts.values.allSatisfy { $0 == 3 })
    }
}

/// Answers visits by the links of a store.
private struct VisitedServer {
    let target: MemoryTarget
    let application: Application
    let ignoresCase: Bool
    let now: Timestamp

    func answer(to visit: PlannedVisit) async throws -> HTTPResponse {
        let path = visit.path.prefix { $0 != "?" }
        let query = visit.path.dropFirst(path.count + 1)
        let text = PercentEncoding.decodeTextLeniently(path.dropFirst().utf8)
        guard let slug = Slug(ignoresCase ? text.lowercased() : text),
            let link = try await target.find(Shop.host, slug)
        else {
            return HTTPResponse(status: 404)
        }
        let agent = visit.fields.first { $0.name == "User-Agent" }?.value ?? ""
        let visitor = Visitor(
            platform: visit.device.platform, device: visit.device.kind,
            language: visit.fields.first { $0.name == "Accept-Language" }?.value,
            // FNV-1a, so that each User-Agent is another visitor.
            number: agent.utf8.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 },
            query: query.isEmpty ? nil : String(query))
        switch link.resolve(application: application, visitor: visitor, now: now, clickID: nil) {
        case .redirect(let destination): return HTTPResponse(status: 302, location: destination.url)
        case .openApp(let opening):
            let page = [opening.open, opening.fallback.url].map { url in
                "<a href=\"\(url.replacing("&", with: "&amp;"))\">"
            }
            return HTTPResponse(status: 200, body: Array(page.joined().utf8))
        default: return HTTPResponse(status: 410)
        }
    }
}

extension VisitDevice {
    fileprivate var platform: Platform {
        switch self {
        case .iphone: .iphone
        case .ipad: .ipad
        case .android: .android
        case .desktop: .windows
        }
    }

    fileprivate var kind: Visitor.Device {
        switch self {
        case .iphone, .android: .phone
        case .ipad: .tablet
        case .desktop: .desktop
        }
    }
}
