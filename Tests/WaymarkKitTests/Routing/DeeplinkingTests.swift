import Foundation
import Testing
import WaymarkAPI
import WaymarkKit
import WaymarkKitCompatibility

@MainActor
@Suite struct DeeplinkingTests {
    @MainActor
    final class Log {
        var lines: [String] = []
        var isLoggedIn = false
    }

    @Test func opensInAFixedOrder() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.map("products/:id") { deeplink in
            log.lines.append("target \(deeplink.routeParameters["id"] ?? "") \(deeplink.wasOpened)")
        }
        deeplinking.addHandler { log.lines.append("handler \($0.wasOpened)") }
        deeplinking.addFilter { deeplink in
            log.lines.append("filter \(deeplinking.currentDeeplink === deeplink)")
            return true
        }
        deeplinking.addFilter { _ in
            log.lines.append("second filter")
            return true
        }
        #expect(deeplinking.open("shop://products/42?referrer=ana"))
        #expect(log.lines == ["filter true", "second filter", "handler false", "target 42 false"])
        #expect(deeplinking.currentDeeplink?.wasOpened == true)
        #expect(deeplinking.currentDeeplink?.queryParameters["referrer"] == "ana")
    }

    @Test func asksNoFurtherFilterOnceOneHasRefused() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.map("a") { _ in log.lines.append("target") }
        deeplinking.addFilter { _ in false }
        deeplinking.addFilter { _ in
            log.lines.append("second filter")
            return true
        }
        #expect(!deeplinking.open("shop://a"))
        #expect(log.lines.isEmpty)
    }

    @Test func opensAHeldBackLinkAgainThoughNoRouteMatchesIt() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.mapDefault { log.lines.append($0.openedURL?.text ?? "") }
        deeplinking.addFilter { _ in log.isLoggedIn }
        #expect(!deeplinking.open("shop://anything"))
        log.isLoggedIn = true
        #expect(deeplinking.openCurrentDeeplink())
        #expect(log.lines == ["shop://anything"])
    }

    @Test func `a link of the app does not open the default route`() throws {
        let deeplinking = Deeplinking()
        try? deeplinking.mapDefault { _ in }
        #expect(try !deeplinking.open(Deeplink(route: "unknown")))
        #expect(!deeplinking.open(Deeplink()))
        #expect(deeplinking.currentDeeplink == nil)
    }

    @Test func saysThatARouteIsMappedAlready() throws {
        let log = Log()
        let deeplinking = Deeplinking()
        try deeplinking.map("products/:id") { _ in log.lines.append("first") }
        #expect(throws: DeeplinkingError.duplicateRoute("products/:id")) {
            try deeplinking.map("/products//:id/") { _ in }
        }
        try deeplinking.map("products/:other") { _ in log.lines.append("other") }
        deeplinking.open("shop://products/1")
        #expect(log.lines == ["first"])
    }

    @Test func readsAnEmptyRouteAsTheDefaultRoute() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.map("/") { _ in log.lines.append("default") }
        deeplinking.open("shop://nothing")
        #expect(log.lines == ["default"])
    }

    @Test func keepsTheFirstDefaultRouteAsOnAndroid() {
        let log = Log()
        let deeplinking = Deeplinking(dialect: .android)
        try? deeplinking.mapDefault { _ in log.lines.append("first") }
        #expect(throws: DeeplinkingError.duplicateDefaultRoute) {
            try deeplinking.mapDefault { _ in log.lines.append("second") }
        }
        deeplinking.open("shop://nothing")
        #expect(log.lines == ["first"])
    }

    @Test func keepsALinkWithoutARouteAsTheDialectSays() {
        let ios = Deeplinking()
        #expect(!ios.open("shop://nothing?a=1"))
        #expect(ios.currentDeeplink?.queryParameters["a"] == "1")
        #expect(ios.currentDeeplink?.route == nil)
        let android = Deeplinking(dialect: .android)
        #expect(!android.open("shop://nothing"))
        #expect(android.currentDeeplink == nil)
    }

    @MainActor
    final class Analytics: DeeplinkHandler {
        var routes: [String?] = []
        func handleDeeplink(_ deeplink: Deeplink) { routes.append(deeplink.route) }
    }

    @Test func addsAnObjectOnce() throws {
        let deeplinking = Deeplinking()
        let analytics = Analytics()
        try? deeplinking.map("a") { _ in }
        try deeplinking.addHandler(analytics)
        #expect(throws: DeeplinkingError.handlerExists) { try deeplinking.addHandler(analytics) }
        try deeplinking.addHandler(Analytics())
        deeplinking.open("shop://a")
        #expect(analytics.routes == ["a"])
        deeplinking.removeHandler(analytics)
        deeplinking.open("shop://a")
        #expect(analytics.routes == ["a"])
    }

    @Test func removesWhatWasAdded() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.map("a") { _ in }
        let filter = deeplinking.addFilter { _ in false }
        let handler = deeplinking.addHandler { _ in log.lines.append("handler") }
        #expect(!deeplinking.open("shop://a"))
        deeplinking.remove(filter)
        deeplinking.remove(handler)
        #expect(deeplinking.open("shop://a"))
        #expect(log.lines.isEmpty)
    }

    @Test func letsFiltersAndHandlersChangeOneAnother() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.map("a") { _ in log.lines.append("target") }
        let last = deeplinking.addHandler { _ in log.lines.append("removed") }
        deeplinking.addFilter { _ in
            deeplinking.remove(last)
            deeplinking.addFilter { _ in false }
            deeplinking.addHandler { _ in log.lines.append("added") }
            return true
        }
        // This link is shown to those that were there when it came, the next one to those that are there then.
        #expect(deeplinking.open("shop://a"))
        #expect(log.lines == ["removed", "target"])
        #expect(!deeplinking.open("shop://a"))
    }

    @Test func letsATargetOpenAnotherLink() {
        let log = Log()
        let deeplinking = Deeplinking()
        try? deeplinking.map("old/:id") { deeplink in
            log.lines.append("old")
            try? deeplinking.map("new/:id") { _ in log.lines.append("new") }
            deeplinking.open("shop://new/" + (deeplink.routeParameters["id"] ?? ""))
        }
        #expect(deeplinking.open("shop://old/1"))
        #expect(log.lines == ["old", "new"])
        #expect(deeplinking.currentDeeplink?.route == "new/:id")
    }

    @Test func knowsWhatItCanOpenWithoutOpeningIt() {
        let deeplinking = Deeplinking()
        try? deeplinking.map("a/:b") { _ in }
        #expect(deeplinking.canOpen("shop://a/b?_hk_cid=1"))
        #expect(!deeplinking.canOpen("shop://a"))
        try? deeplinking.mapDefault { _ in }
        #expect(deeplinking.canOpen("shop://a"))
        #expect(deeplinking.currentDeeplink == nil)
    }

    @Test func survivesAnyText() {
        let deeplinking = Deeplinking()
        try? deeplinking.map(":a/:b") { _ in }
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<2_000 {
            let text = generator.text(upTo: 10)
            let opened = deeplinking.open(text)
            #expect(opened == (deeplinking.currentDeeplink?.route != nil))
            #expect(Array(deeplinking.currentDeeplink?.openedURL?.text.utf8 ?? "".utf8) == Array(text.utf8))
        }
    }
}
