import Testing
import WaymarkLinks
import WaymarkService

/// The application that the first start makes, so that a first link needs nothing else.
@Suite struct DefaultApplicationTests {
    private func start(_ service: LinkService) async throws {
        try await service.load()
        try await service.applications.makeDefault(Shelf.shared.definition(try application("default")))
    }

    private func names(_ service: LinkService) -> [String] {
        service.applications.directory.current.applications.map(\.id.text)
    }

    @Test func aFirstStartMakesOneApplicationForEveryHost() async throws {
        let workshop = Workshop()
        try await start(workshop.service)
        #expect(names(workshop.service) == ["default"])
        let only = try #require(workshop.service.applications.directory.current.only)
        #expect(!only.isReadOnly)
        #expect(only.application.domains.isEmpty)
    }

    @Test func serversThatStartAtOnceMakeItOnce() async throws {
        let workshop = Workshop()
        let neighbour = workshop.neighbour()
        try await workshop.service.load()
        try await neighbour.load()
        try await workshop.service.applications.makeDefault(Shelf.shared.definition(try application("default")))
        try await neighbour.applications.makeDefault(Shelf.shared.definition(try application("default")))
        #expect(names(neighbour) == ["default"])
        #expect(neighbour.applications.directory.current.only?.version == 1)
    }

    @Test func itStepsBackWhenAnotherApplicationIsPut() async throws {
        let workshop = Workshop()
        try await start(workshop.service)
        try await workshop.put(try application("shop", domains: ["go.example.com"]))
        #expect(names(workshop.service) == ["shop"])
    }

    @Test func itStepsBackWhenTheFileBringsAnother() async throws {
        let workshop = Workshop()
        try await start(workshop.service)
        let shop = Shelf.shared.definition(try application("shop", domains: ["go.example.com"]))
        #expect(try await workshop.service.applications.apply(file: [shop]) == .applied(changes: 1))
        #expect(names(workshop.service) == ["shop"])
    }

    @Test func itStaysWhileItHasLinks() async throws {
        let workshop = Workshop()
        try await start(workshop.service)
        _ = try await workshop.create("one", in: "default", on: "localhost")
        try await workshop.put(try application("shop", domains: ["go.example.com"]))
        #expect(names(workshop.service) == ["default", "shop"])
    }

    @Test func oneThatSomebodyReplacedIsTheirs() async throws {
        let workshop = Workshop()
        try await start(workshop.service)
        try await workshop.put(try application("default", domains: ["own.example.com"]))
        try await workshop.put(try application("shop", domains: ["go.example.com"]))
        #expect(names(workshop.service) == ["default", "shop"])
    }

    @Test func aServerThatWasLateRemovesTheOneItMade() async throws {
        let workshop = Workshop()
        let late = workshop.neighbour()
        try await late.load()
        try await workshop.service.load()
        try await workshop.put(try application("shop", domains: ["go.example.com"]))
        try await late.applications.makeDefault(Shelf.shared.definition(try application("default")))
        #expect(names(late) == ["shop"])
    }
}
