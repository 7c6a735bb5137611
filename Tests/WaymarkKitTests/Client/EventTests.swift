import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkKit
import WaymarkTestSupport

/// Every event arrives, and is counted once.
@Suite struct EventTests {
    @MainActor
    private func open(_ count: Int, with client: WaymarkClient, from first: Int = 0) {
        let deeplinking = Deeplinking(recorder: client)
        try? deeplinking.map("products/:id") { _ in }
        for number in first..<first + count { deeplinking.open("shop://products/\(number)?_hk_cid=click\(number)") }
    }

    @Test func sendsWhatWasRecordedAsTheServiceTakesIt() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(
            service, options: ClientOptions(platform: .iOS, sendsEvents: false))
        await open(1, with: client)
        client.recordInstallation(clickID: "c9")
        client.recordInstallation(clickID: "c10")
        try await client.flushEvents()

        let body = try JSONValue(parsing: try #require(service.requests.first).body)
        let events = try #require(body["events"]?.array)
        #expect(events.count == 2)
        #expect(events[0]["type"]?.string == "open")
        #expect(events[0]["clickID"]?.string == "click0")
        #expect(events[0]["platform"]?.string == "ios")
        #expect(events[0]["at"]?.string == "2026-11-21T10:00:00Z")
        #expect(events[0]["id"]?.string?.count == 36)
        #expect(events[1]["type"]?.string == "install")
        #expect(events[1]["clickID"]?.string == "c9")
        #expect(client.eventCounts == EventCounts(waiting: 0, dropped: 0, refused: 0))
    }

    @Test func sendsAHundredAtATimeInOrder() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service)
        await open(250, with: client)
        try await client.flushEvents()
        let sizes = try service.requests.map { try JSONValue(parsing: $0.body)["events"]?.array?.count }
        #expect(sizes == [100, 100, 50])
        #expect(service.countedEvents.count == 250)
    }

    @Test func arrivesOnceThoughAppAndServiceAreKilledInTheMiddle() async throws {
        let folder = try TemporaryFolder()
        let storage = FileStorage(folder: folder.url)
        // The second batch is taken and its answer lost; then nobody answers any more.
        let service = StandInTransport(
            faults: [.none, .answerLost(.unreachable("reset"))]
                + Array(repeating: .notSent(.unreachable("refused")), count: 3))
        var client: WaymarkClient? = try WaymarkClient.standIn(service, storage: storage)
        await open(150, with: try #require(client))
        await #expect(throws: WaymarkClientError.unreachable("refused")) { try await client?.flushEvents() }
        #expect(client?.eventCounts.waiting == 50)
        client = nil

        let restarted = try WaymarkClient.standIn(service, storage: storage)
        #expect(restarted.eventCounts.waiting == 50)
        await open(1, with: restarted, from: 150)
        try await restarted.flushEvents()

        #expect(service.countedEvents.count == 151)
        #expect(service.deliveredEvents == 201)
        #expect(restarted.eventCounts.waiting == 0)
    }

    @Test func dropsTheOldestWhereThereAreTooManyAndCountsThem() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(
            service, options: ClientOptions(eventLimit: 3, sendsEvents: false))
        await open(5, with: client)
        #expect(client.eventCounts == EventCounts(waiting: 3, dropped: 2, refused: 0))
        try await client.flushEvents()
        let events = try JSONValue(parsing: try #require(service.requests.first).body)["events"]?.array
        #expect(events?.map { $0["clickID"]?.string } == ["click2", "click3", "click4"])
    }

    @Test func dropsWhatTheServiceWouldCountTwice() async throws {
        let clock = StandInClock()
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service, clock: clock)
        await open(1, with: client)
        clock.advance(by: .seconds(6 * 86_400 + 1))
        await open(1, with: client, from: 1)
        try await client.flushEvents()
        #expect(service.countedEvents.count == 1)
        #expect(client.eventCounts.dropped == 1)
    }

    @Test(arguments: [true, false])
    func sendsTheOthersWhereTheServiceWillNotHaveOne(isNamed: Bool) async throws {
        let service = StandInTransport(namesRefused: isNamed) { $0["clickID"]?.string == "click7" }
        let client = try WaymarkClient.standIn(service)
        await open(30, with: client)
        try await client.flushEvents()
        #expect(service.countedEvents.count == 29)
        #expect(service.deliveredEvents == 29)
        #expect(client.eventCounts == EventCounts(waiting: 0, dropped: 0, refused: 1))
    }

    @Test func keepsEventsWhereTheKeyIsRefused() async throws {
        let problem = Problem(.scopeMissing, "No.")
        let client = try WaymarkClient.standIn(
            StandInTransport(faults: [.answers(StandInTransport.refusal(problem))]))
        await open(2, with: client)
        await #expect(throws: WaymarkClientError.refused(problem, retryAfter: nil)) { try await client.flushEvents() }
        #expect(client.eventCounts.waiting == 2)
        try await client.flushEvents()
        #expect(client.eventCounts.waiting == 0)
    }

    @Test func startsAnewWhereTheFileMakesNoSense() async throws {
        let folder = try TemporaryFolder()
        try folder.write(#"{"events":[{"id":"#, to: "events.json")
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service, storage: FileStorage(folder: folder.url))
        await open(1, with: client)
        try await client.flushEvents()
        #expect(service.countedEvents.count == 1)
        #expect(folder.text("events.json.broken") == #"{"events":[{"id":"#)
    }

    @Test func losesNothingWhileTheStorageCannotBeRead() async throws {
        let storage = LockedStorage()
        let service = StandInTransport()
        await open(2, with: try WaymarkClient.standIn(service, storage: storage))
        storage.isLocked = true
        let client = try WaymarkClient.standIn(service, storage: storage)
        await open(1, with: client, from: 2)
        #expect(client.eventCounts.waiting == 1)
        storage.isLocked = false
        #expect(client.eventCounts.waiting == 3)
        try await client.flushEvents()
        #expect(service.countedEvents.count == 3)
    }

    @Test func sendsOnceThoughManyAskAtOnce() async throws {
        let service = StandInTransport()
        let client = try WaymarkClient.standIn(service)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    await open(1, with: client, from: number)
                    try? await client.flushEvents()
                }
            }
        }
        #expect(service.countedEvents.count == 20)
        #expect(service.deliveredEvents == 20)
        #expect(client.eventCounts.waiting == 0)
    }

    @Test func goesOnByItselfUntilTheServiceIsBack() async throws {
        let (arrived, arrival) = AsyncStream.makeStream(of: Int.self)
        let inner = StandInTransport(faults: Array(repeating: .notSent(.offline), count: 3))
        let service = ReportingTransport(inner) { arrival.yield(inner.countedEvents.count) }
        let clock = StandInClock()
        let client = try WaymarkClient.standIn(service, clock: clock, options: ClientOptions(sendsEvents: true))
        await open(1, with: client)
        for await count in arrived where count == 1 { break }
        #expect(inner.requests.count == 4)
        // One pause between rounds for each round that failed, each longer than half of the one before.
        #expect(clock.waits.count == 3)
        #expect(clock.waits.allSatisfy { $0 >= .seconds(5) })
        #expect(client.description == "WaymarkClient(https://go.example.com)")
    }

    @Test func sendsAfterARestartWhatWaitsInTheStorage() async throws {
        let storage = MemoryStorage()
        let inner = StandInTransport()
        await open(1, with: try WaymarkClient.standIn(inner, storage: storage))
        let (arrived, arrival) = AsyncStream.makeStream(of: Int.self)
        let service = ReportingTransport(inner) { arrival.yield(inner.countedEvents.count) }
        let client = try WaymarkClient.standIn(service, storage: storage, options: ClientOptions())
        for await count in arrived where count == 1 { break }
        try await client.flushEvents()
        #expect(client.eventCounts.waiting == 0)
        #expect(inner.deliveredEvents == 1)
    }
}
