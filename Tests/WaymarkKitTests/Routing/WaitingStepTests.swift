import Foundation
import Observation
import Testing

@testable import WaymarkKit

/// Filters and targets that wait, and code that waits for links.
@MainActor
@Suite struct WaitingStepTests {
    private final class Log {
        var lines: [String] = []
    }

    private let log = Log()

    @Test func filtersAndTargetsMayWait() async {
        let log = log
        let deeplinking = Deeplinking()
        try? deeplinking.map("a") { _ in
            await Task.yield()
            log.lines.append("target")
        }
        deeplinking.addFilter { _ in true }
        deeplinking.addFilter { _ in
            await Task.yield()
            log.lines.append("filter")
            return true
        }
        deeplinking.addHandler { log.lines.append("handler \($0.wasOpened)") }
        // A caller that does not wait learns that the link is under way.
        #expect(deeplinking.open("shop://a"))
        #expect(log.lines.isEmpty)
        guard case .opened(let deeplink) = await deeplinking.open(resolving: "shop://a") else {
            Issue.record("it was not opened")
            return
        }
        #expect(deeplink.wasOpened)
        // The first opening ended when the second became the current one.
        #expect(log.lines == ["filter", "handler false", "target"])
    }

    @Test func filterThatWaitsHoldsALinkBack() async {
        let deeplinking = Deeplinking()
        let log = log
        try? deeplinking.map("a") { _ in log.lines.append("target") }
        let filter = deeplinking.addFilter { _ in
            await Task.yield()
            return false
        }
        guard case .notOpened = await deeplinking.open(resolving: "shop://a") else {
            Issue.record("it was not held back")
            return
        }
        deeplinking.remove(filter)
        guard case .opened = await deeplinking.openCurrentDeeplink() else {
            Issue.record("it was not opened again")
            return
        }
        #expect(log.lines == ["target"])
    }

    @Test func linksArriveInASequence() async throws {
        let deeplinking = Deeplinking()
        try deeplinking.map("a/:id")
        deeplinking.open("shop://a/1")
        let early = deeplinking.links
        let late = deeplinking.links
        deeplinking.open("shop://a/2")
        deeplinking.open("shop://nothing")
        deeplinking.open("shop://a/3")
        var ids: [String?] = []
        for await deeplink in early.prefix(3) { ids.append(deeplink.routeParameters["id"]) }
        for await deeplink in late.prefix(2) { ids.append(deeplink.routeParameters["id"]) }
        #expect(ids == ["1", "2", "3", "2", "3"])
    }

    @Test func currentLinkIsObservable() {
        let deeplinking = Deeplinking()
        try? deeplinking.mapDefault { _ in }
        let changes = LockedValue(0)
        withObservationTracking {
            _ = deeplinking.currentDeeplink
        } onChange: {
            changes.withLock { $0 += 1 }
        }
        deeplinking.open("shop://a")
        #expect(changes.withLock { $0 } == 1)
        #expect((deeplinking as Any) is any Observable)
    }

    @Test func linkNamesTheSceneThatReceivedIt() async throws {
        let service = StandInService(deeplink: "shop://a")
        let deeplinking = Deeplinking(
            urlSchemes: ["shop"], domains: ["go.example.com"], resolver: service, openingTimeLimit: .seconds(3_600))
        var scenes: [String?] = []
        try deeplinking.map("a") { scenes.append($0.sceneID) }
        deeplinking.open("shop://a", sceneID: "one")
        _ = await deeplinking.open(resolving: "https://go.example.com/x", sceneID: "two")
        let activity = StandInActivity(webpageURL: URL(string: "https://www.example.com/a"))
        deeplinking.continueActivity(activity, sceneID: "three")
        #expect(scenes == ["one", "two", "three"])
    }
}
