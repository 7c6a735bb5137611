import Testing
import WaymarkLinks
import WaymarkService

/// The application that the first start makes, so that a first link needs nothing else.
@Suite struct DefaultApplicationTests {
    private func start(_ service: LinkService) async throws {
        try await service.load()
        try await service.applications.makeDefault(ApplicationFixtures.shared.definition(try application("default")))
    }

    private func names(_ service: LinkService) -> [String] {
        service.applications.directory.current.applications.map(\.id.text)
    }

    @Test func aFirstStartMakesOneApplicationForEveryHost() async throws {
        let fixture = try ServiceFixture()
        try await start(fixture.service)
        #expect(names(fixture.service) == ["default"])
        let only = try #require(fixture.service.applications.directory.current.only)
        #expect(!only.isReadOnly)
        #expect(only.application.domains.isEmpty)
    }

    @Test func serversThatStartAtOnceMakeItOnce() async throws {
        let fixture = try ServiceFixture()
        let neighbour = fixture.neighbour()
        try await fixture.service.load()
        try await neighbour.load()
        try await fixture.service.applications.makeDefault(
            ApplicationFixtures.shared.definition(try application("default")))
        try await neighbour.applications.makeDefault(ApplicationFixtures.shared.definition(try application("default")))
        #expect(names(neighbour) == ["default"])
        #expect(neighbour.applications.directory.current.only?.version == 1)
    }

    @Test func `the default steps back when another application is put`() async throws {
        let fixture = try ServiceFixture()
        try await start(fixture.service)
        try await fixture.put(try application("shop", domains: ["go.example.com"]))
        #expect(names(fixture.service) == ["shop"])
    }

    @Test func `the default steps back when the file brings another`() async throws {
        let fixture = try ServiceFixture()
        try await start(fixture.service)
        let shop = ApplicationFixtures.shared.definition(try application("shop", domains: ["go.example.com"]))
        #expect(try await fixture.service.applications.apply(file: [shop]) == .applied(changes: 1))
        #expect(names(fixture.service) == ["shop"])
    }

    @Test func `the default stays while it has links`() async throws {
        let fixture = try ServiceFixture()
        try await start(fixture.service)
        _ = try await fixture.create("one", in: "default", on: "localhost")
        try await fixture.put(try application("shop", domains: ["go.example.com"]))
        #expect(names(fixture.service) == ["default", "shop"])
    }

    @Test func oneThatSomebodyReplacedIsTheirs() async throws {
        let fixture = try ServiceFixture()
        try await start(fixture.service)
        try await fixture.put(try application("default", domains: ["own.example.com"]))
        try await fixture.put(try application("shop", domains: ["go.example.com"]))
        #expect(names(fixture.service) == ["default", "shop"])
    }

    @Test func aServerThatWasLateRemovesTheOneItMade() async throws {
        let fixture = try ServiceFixture()
        let late = fixture.neighbour()
        try await late.load()
        try await fixture.service.load()
        try await fixture.put(try application("shop", domains: ["go.example.com"]))
        try await late.applications.makeDefault(ApplicationFixtures.shared.definition(try application("default")))
        #expect(names(late) == ["shop"])
    }
}
