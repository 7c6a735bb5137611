import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON

@testable import WaymarkKit
@testable import WaymarkKitCompatibility

/// Plays one case of HOKO's client through a router of its own.
@MainActor
struct HokoVectorRun {
    let vector: Vector
    let dialect: RoutingDialect
    private var input: JSONValue { vector.input }
    private var expected: JSONValue { vector.expected }

    init(_ vector: Vector, dialect: RoutingDialect) {
        self.vector = vector
        self.dialect = dialect
    }

    /// What happened to the links that were opened.
    @MainActor
    final class Record {
        var called: [String] = []
        var opened: [Deeplink] = []
        var received: [String: Deeplink] = [:]
    }

    func run() async throws {
        switch vector.area {
        case "sanitize":
            #expect(RouteFormat.sanitized(try text("string")) == expected["string"]?.string)
        case "url-parse": try urlParts()
        case "query-parse": expect(dialect.queryParameters(of: try url()), expected["queryParameters"])
        case "route-match": try routeMatch()
        case "route", "route-exists": try routeExists()
        case "route-order":
            let deeplinking = router(mapping: (input["internal"]?.strings ?? []) + (input["mapped"]?.strings ?? []))
            #expect(deeplinking.mappedRoutes == expected["order"]?.strings)
        case "route-priority", "open-url", "filters", "route-map": try open()
        case "open-current": try openCurrent()
        case "open-deeplink", "handlers": try openDeeplink()
        case "metadata": input["url"] == nil ? try madeMetadata() : try await fetchedMetadata()
        case "deeplink-url", "deeplink-new", "deeplink-json": try making()
        case "generate": try await generate()
        case "universal-link": try await universalLink()
        case "open-smartlink": try await openSmartlink()
        case "event-queue": try await eventQueue()
        default: Issue.record("nothing plays the area \(vector.area)")
        }
    }

    private func text(_ name: String) throws -> String { try #require(input[name]?.string) }
    private func url(_ name: String = "url") throws -> DeepLinkURL { DeepLinkURL(try text(name)) }

    private func urlParts() throws {
        let url = try url()
        if let scheme = expected["scheme"]?.string { #expect(url.scheme == scheme) }
        if let text = expected["url"]?.string {
            let plain = DeepLinkURL(scheme: url.scheme, authority: url.authority, path: url.path)
            #expect(RouteFormat.sanitized(plain.text) == text)
        }
    }

    private func routeMatch() throws {
        var table = RouteTable<Void>(dialect: dialect)
        _ = table.map(RouteFormat(try text("route")), to: ())
        let match = table.match(try url())
        #expect((match != nil) == expected["matches"]?.bool)
        if let match, let values = expected["routeParameters"] { #expect(match.parameters == values.texts) }
    }

    private func routeExists() throws {
        let route = try text("route")
        let deeplinking = router(mapping: input["mapped"]?.strings ?? [route])
        #expect(deeplinking.isMapped(route) == expected["exists"]?.bool ?? true)
        if let components = expected["components"]?.strings {
            #expect(RouteFormat(route).text.split(separator: "/").map { String($0) } == components)
        }
        if let text = expected["route"]?.string { #expect(deeplinking.mappedRoutes == [text]) }
    }

    // MARK: Opening

    private func router(
        mapping formats: [String]? = nil, record: Record = Record(), service: StandInService? = nil,
        domains: [String] = [], urlSchemes: [String] = []
    ) -> Deeplinking {
        let deeplinking = Deeplinking(
            urlSchemes: urlSchemes, domains: domains, dialect: dialect, resolver: service, creator: service,
            openingTimeLimit: .seconds(3_600))
        for format in formats ?? input["mapped"]?.strings ?? [] {
            try? deeplinking.map(format) { record.opened.append($0) }
        }
        if input["defaultRoute"]?.bool == true { try? deeplinking.mapDefault { record.opened.append($0) } }
        for filter in input["filters"]?.array ?? [] {
            var answers = Self.answers(of: filter)
            deeplinking.addFilter { deeplink in
                answers.count > 1 ? answers.removeFirst()(deeplink) : answers[0](deeplink)
            }
        }
        return deeplinking
    }

    /// A boolean, a condition on the route, or a sentence such as `false first time, true second time`.
    private static func answers(of filter: JSONValue) -> [@MainActor (Deeplink) -> Bool] {
        if let flag = filter.bool { return [{ _ in flag }] }
        if let route = filter["routeEquals"]?.string {
            let (same, other) = (filter["then"]?.bool ?? true, filter["else"]?.bool ?? true)
            return [{ $0.route == route ? same : other }]
        }
        let words = (filter.string ?? "").split(separator: ",").map { $0.contains("true") }
        return words.map { answer in { _ in answer } }
    }

    private func open() throws {
        let record = Record()
        let deeplinking = router(record: record)
        var errors: [DeeplinkingError] = []
        for pair in input["map"]?.array ?? [] {
            let (format, name) = (pair.strings[0], pair.strings[1])
            do throws(DeeplinkingError) {
                try deeplinking.map(format) { _ in record.called.append(name) }
            } catch {
                errors.append(error)
            }
        }
        for name in input["mapDefault"]?.strings ?? [] {
            try? deeplinking.mapDefault { _ in record.called.append(name) }
        }
        let opened = deeplinking.open(
            try url(), sourceApplication: input["sourceApplication"]?.string,
            isDeferred: input["deferred"]?.bool ?? false)

        if let flag = expected["opened"]?.bool { #expect(opened == flag) }
        if let flag = expected["targetCalled"]?.bool { #expect(record.opened.isEmpty != flag) }
        if let name = expected["called"]?.string { #expect(record.called == [name]) }
        if let code = expected["error"]?["code"]?.integer { #expect(errors.map(\.hokoCode) == [code]) }
        if let current = expected["currentDeeplink"] {
            #expect((deeplinking.currentDeeplink != nil) == current["present"]?.bool ?? true)
            expect(deeplinking.currentDeeplink, current)
        }
        if let deeplink = expected["deeplink"] { expect(deeplinking.currentDeeplink, deeplink) }
        if expected["route"] != nil { expect(deeplinking.currentDeeplink, expected) }
    }

    private func openCurrent() throws {
        let deeplinking = router()
        var results: [Bool] = []
        var wasOpened: [Bool] = []
        for call in input["calls"]?.strings ?? [] {
            let words = call.split(separator: " ")
            results.append(words.count == 2 ? deeplinking.open(String(words[1])) : deeplinking.openCurrentDeeplink())
            wasOpened.append(deeplinking.currentDeeplink?.wasOpened ?? false)
        }
        if let flags = expected["results"]?.array { #expect(results == flags.map(\.bool)) }
        if let flags = expected["wasOpened"]?.array { #expect(wasOpened == flags.map(\.bool)) }
    }

    private func deeplink(from value: JSONValue) -> Deeplink? {
        try? Deeplink(
            route: value["route"]?.string ?? "",
            routeParameters: (value["routeParameters"]?.texts ?? [:]).compactMapValues { $0 },
            queryParameters: (value["queryParameters"]?.texts ?? [:]).compactMapValues { $0 },
            metadata: value["metadata"]?.object == nil ? nil : value["metadata"]?.native as? [String: Any])
    }

    private func openDeeplink() throws {
        let record = Record()
        let value = try #require(input["deeplink"])
        let made = try #require(deeplink(from: value))
        let deeplinking = router(record: record)
        if vector.area == "handlers" { try? deeplinking.map(made.route ?? "") { _ in } }
        for kind in input["handlers"]?.strings ?? [] {
            if kind == "object" {
                try deeplinking.addHandler(Listener(record))
            } else {
                deeplinking.addHandler {
                    record.called.append(kind)
                    record.received[kind] = $0
                }
            }
        }
        let opened = deeplinking.open(made)
        if let flag = expected["targetCalled"]?.bool { #expect(record.opened.isEmpty != flag) }
        if let flag = expected["opened"]?.bool { #expect(opened == flag) }
        if let flag = expected["wasOpened"]?.bool { #expect(made.wasOpened == flag) }
        if let flag = expected["currentDeeplinkIsSame"]?.bool {
            #expect((deeplinking.currentDeeplink === made) == flag)
        }
        if let names = expected["order"]?.strings { #expect(record.called == names) }
        for member in expected["received"]?.object?.members ?? [] { expect(record.received[member.name], member.value) }
    }

    @MainActor
    private final class Listener: DeeplinkHandler {
        let record: Record
        init(_ record: Record) { self.record = record }
        func handleDeeplink(_ deeplink: Deeplink) {
            record.called.append("object")
            record.received["object"] = deeplink
        }
    }

    // MARK: Metadata, making and generating

    private func madeMetadata() throws {
        let made = try #require(deeplink(from: input))
        let metadata = try made.metadata.map { try JSONValue(parsing: $0.json.bytes) }
        #expect((metadata ?? .null) == expected["metadata"])
        let isRefused = input["metadata"]?.object != nil && expected["metadata"]?.isNull == true
        #expect(made.metadataError?.hokoCode == (isRefused ? 15 : nil))
    }

    private func fetchedMetadata() async throws {
        let service = StandInService(deeplink: nil, metadata: #"{"coupon": "20"}"#)
        let deeplinking = router(mapping: ["product/:product_id"], service: service)
        #expect(await deeplinking.open(resolving: try url()).deeplink?.wasOpened == true)
        let current = try #require(deeplinking.currentDeeplink)
        if let clickID = expected["request"]?["query"]?["_hk_cid"]?.string {
            #expect(service.subjects == [.clickID(clickID)])
            #expect(current.metadata?["coupon"] == "20")
        } else {
            #expect(service.subjects.isEmpty)
            #expect(current.metadata == nil)
        }
    }

    private func making() throws {
        let made = deeplink(from: input)
        if let value = expected["deeplink"] { #expect((made == nil) == value.isNull) }
        if let url = expected["url"]?.string { #expect(made?.url == url) }
        if let json = expected["json"] { #expect(try made.map { try JSONValue(parsing: $0.json.bytes) } == json) }
        if let urls = expected["urlMayBe"]?.strings { #expect(urls.contains(try #require(made?.url))) }
    }

    private func generate() async throws {
        let answer = input["serverResponse"]
        let isAnswered = (answer?["status"]?.integer ?? 500) < 300
        let smartlink = isAnswered ? answer?["json"]?["smartlink"]?.string ?? "" : nil
        let deeplinking = router(service: StandInService(smartlink: smartlink))
        let made = input["deeplink"].flatMap { $0.isNull ? nil : deeplink(from: $0) }
        do {
            guard let made else { throw DeeplinkingError.missingRouteParameters([]) }
            let smartlink = try await deeplinking.generateSmartlink(for: made)
            #expect(smartlink == expected["smartlink"]?.string)
            #expect(expected["error"]?.isNull ?? true)
        } catch let error as DeeplinkingError {
            #expect(error.hokoCode == expected["error"]?["code"]?.integer)
        } catch {
            #expect(expected["error"]?.isNull == false)
        }
    }

    // MARK: Web links

    private func universalLink() async throws {
        let page = input["webpageURL"]?.string.flatMap(URL.init(string:))
        // The original knows the host of its service; here an app names its own subdomain of it.
        let host = page?.host() ?? ""
        let isService = host == "hoko.link" || host.hasSuffix(".hoko.link")
        let service = StandInService()
        let deeplinking = router(
            service: service, domains: [input["customDomain"]?.string, isService ? host : nil].compactMap { $0 },
            urlSchemes: input["appSchemes"]?.strings ?? [])
        let answer = deeplinking.continueActivity(
            StandInActivity(
                activityType: input["activityType"]?.string ?? "NSUserActivityTypeBrowsingWeb", webpageURL: page))
        if let flag = expected["returns"]?.bool { #expect(answer == flag) }
        switch expected["action"]?.string {
        case "openURL":
            #expect(deeplinking.currentDeeplink?.openedURL?.text == expected["url"]?.string)
        case "openSmartlink":
            #expect(answer)
            #expect(deeplinking.currentDeeplink == nil)
        default: break
        }
    }

    private func openSmartlink() async throws {
        let resolve = input["resolve"]
        let isAnswered = (resolve?["status"]?.integer ?? 500) < 300
        let service =
            isAnswered
            ? StandInService(
                deeplink: resolve?["json"]?["deeplink"]?.string, metadata: resolve?["json"]?["metadata"]?.text())
            : StandInService()
        let deeplinking = router(service: service)
        let deeplink = await withCheckedContinuation { continuation in
            deeplinking.openSmartlink(input["smartlink"]?.string ?? "https://app.hoko.link/x") {
                continuation.resume(returning: $0)
            }
        }
        if let flag = expected["completionCalled"]?.bool { #expect(flag) }
        if let value = expected["deeplink"] { value.isNull ? #expect(deeplink == nil) : expect(deeplink, value) }
    }

    // MARK: Events

    /// The queue is this library's own, so the request goes where this service takes events.
    private func eventQueue() async throws {
        let transport = StandInTransport()
        let client = try WaymarkClient.standIn(transport)
        let deeplinking = Deeplinking(dialect: dialect, recorder: client)
        let value = try #require(input["deeplink"])
        try? deeplinking.map(value["route"]?.string ?? "") { _ in }
        let query = (value["queryParameters"]?.texts ?? [:]).map { "\($0)=\($1 ?? "")" }.joined(separator: "&")
        let count = input["postTimes"]?.integer ?? 1
        for _ in 0..<count { deeplinking.open("hoko://\(value["route"]?.string ?? "")?\(query)") }
        #expect(client.eventCounts.waiting == count)
        try await client.flushEvents()
        #expect(transport.countedEvents.count == count)
        #expect(client.eventCounts.waiting == expected["queueCountAfterFlush"]?.integer)
    }

    // MARK: Comparison

    private func expect(_ parameters: QueryParameters?, _ value: JSONValue?) {
        guard let value else { return }
        let texts = Dictionary((parameters ?? [:]).map { ($0.name, $0.value) }) { first, _ in first }
        #expect(texts == value.texts)
    }

    private func expect(_ deeplink: Deeplink?, _ value: JSONValue) {
        if let route = value["route"] { #expect(deeplink?.route == route.string) }
        if let values = value["routeParameters"] { #expect((deeplink?.routeParameters ?? [:]) == values.texts) }
        expect(deeplink?.queryParameters, value["queryParameters"])
        if let scheme = value["urlScheme"]?.string { #expect(deeplink?.urlScheme == scheme) }
        if let source = value["sourceApplication"]?.string { #expect(deeplink?.sourceApplication == source) }
        if let flag = value["wasOpened"]?.bool { #expect(deeplink?.wasOpened == flag) }
        if let flag = value["isDeferred"]?.bool { #expect(deeplink?.isDeferred == flag) }
    }
}
