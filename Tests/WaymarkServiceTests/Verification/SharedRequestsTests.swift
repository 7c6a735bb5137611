import Synchronization
import Testing
import WaymarkClient
import WaymarkStores
import WaymarkTestSupport

@testable import WaymarkService

/// Requests of the verification that several walks wait for.
@Suite struct SharedRequestsTests {
    /// What a request is for.
    enum Kind: CaseIterable { case destination, robots, copy }

    /// A host that does not answer until it is told to.
    private final class SlowHost: HTTPSending {
        let asked = Mutex<[String]>([])
        let time = Atomic<Int64>(0)
        private let slow: String
        let gate = Gate()
        private let status: Int

        init(slow: String, status: Int) {
            self.slow = slow
            self.status = status
        }

        func outcomes(
            of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
        ) async -> [HTTPOutcome] {
            var outcomes: [HTTPOutcome] = []
            for request in requests {
                asked.withLock { $0.append(request.url) }
                let isSlow = request.url.hasSuffix(slow)
                if isSlow { await gate.pass() }
                outcomes.append(HTTPOutcome(.success(HTTPResponse(status: isSlow ? status : 200))))
            }
            return outcomes
        }

        func obstacle(to url: String) async -> HTTPFailure? { nil }
    }

    /// Asks the host for one thing.
    private struct Asker: Sendable {
        let kind: Kind
        let host: SlowHost
        private let destinations: DestinationAnswers
        private let robots: RobotsFiles
        private let copies: AssociationCopies

        /// - Parameters:
        ///   - status: of the slow answer.
        ///   - secondLook: in milliseconds.
        init(_ kind: Kind, status: Int = 404, secondLook: Int64 = 3_600_000) {
            self.kind = kind
            let slow =
                switch kind {
                case .destination: "/x"
                case .robots: "/robots.txt"
                case .copy: "/.well-known/a"
                }
            let host = SlowHost(slow: slow, status: status)
            self.host = host
            var settings = VerificationSettings(client: host)
            settings.hostInterval = 0
            settings.secondLook = secondLook
            settings.pause = { _ in }
            // The time of callers with less than a minute ends at once, that of others never.
            settings.timer = { if $0 > 60_000 { try? await Task.sleep(for: .seconds(3_600)) } }
            let now: @Sendable () -> Int64 = { host.time.load(ordering: .relaxed) }
            let metrics = VerificationMetrics()
            let sender = PoliteSender(settings, metrics: metrics, now: now)
            robots = RobotsFiles(settings, sender, now: now)
            destinations = DestinationAnswers(settings, sender, now: now)
            copies = AssociationCopies(settings, sender, metrics: metrics, now: now)
        }

        /// What a caller finds that waits until then; nil: nothing.
        ///
        /// - Parameter start: of the caller's walk; by default it has begun now.
        func code(since start: Int64? = nil, until end: Int64, isFresh: Bool = false) async -> String? {
            let start = start ?? host.time.load(ordering: .relaxed)
            switch kind {
            case .destination:
                let found = await destinations.finding(
                    "https://a.example/x", since: start, until: end, isFresh: isFresh)
                return found.map { $0.isLate ? "late" : $0.code.rawValue }
            case .robots:
                guard let target = HTTPTarget("https://a.example/x") else { return "no target" }
                if case .late = await robots.rules(of: target, since: start, until: end) { return "late" }
                return nil
            case .copy:
                let copy = AssociationCopy(.apple, as: .iphone, "https://a.example/.well-known/a") { status, _ in
                    status == 200 ? nil : (.cdnDiffers, "it differs")
                }
                let look = await copies.look(at: copy, since: start, until: end, isFresh: isFresh)
                guard case .finding(let found) = look else { return nil }
                return found.code.rawValue
            }
        }
    }

    /// What callers find that leave and that wait, and the requests for all of them: where HEAD fails, GET is tried.
    @Test(
        arguments: [
            (.destination, "late", "http-status", 3), (.robots, "late", nil, 1), (.copy, nil, "cdn-differs", 1),
        ] as [(Kind, String?, String?, Int)])
    func `a caller leaves in time, and others get the answer`(
        kind: Kind, early: String?, late: String?, requests: Int
    ) async {
        let asker = Asker(kind)
        async let patient = asker.code(until: 300_000)
        await asker.host.gate.waitForArrivals()
        // Joins the request, and leaves it.
        #expect(await asker.code(until: 30_000) == early)
        asker.host.gate.open()
        #expect(await patient == late)
        #expect(await asker.code(until: 30_000) == late)
        #expect(asker.host.asked.withLock(\.count) == requests)
    }

    @Test(arguments: [Kind.destination, .copy])
    func `a slow walk asks once for all its visitors`(kind: Kind) async {
        let asker = Asker(kind, secondLook: 20_000)
        let requests = { asker.host.asked.withLock(\.count) }
        async let first = asker.code(since: 0, until: 300_000)
        await asker.host.gate.waitForArrivals()
        asker.host.time.store(40_000, ordering: .relaxed)
        asker.host.gate.open()
        let found = await first
        let asked = requests()
        // Between two visitors, another destination was slow, too.
        for time in [40_000, 100_000] as [Int64] {
            asker.host.time.store(time, ordering: .relaxed)
            #expect(await asker.code(since: 0, until: 300_000) == found)
        }
        #expect(requests() == asked)
        // The second look does not use the answer of the first.
        _ = await asker.code(since: 60_000, until: 360_000)
        #expect(requests() > asked)
    }

    @Test(arguments: [(49_999, false), (50_000, true)])
    func `a slow answer holds for walks that begin soon`(start: Int64, asksAgain: Bool) async {
        let asker = Asker(.copy, secondLook: 20_000)
        async let first = asker.code(until: 300_000)
        await asker.host.gate.waitForArrivals()
        asker.host.time.store(40_000, ordering: .relaxed)
        asker.host.gate.open()
        #expect(await first == "cdn-differs")
        asker.host.time.store(start, ordering: .relaxed)
        #expect(await asker.code(until: start + 300_000) == "cdn-differs")
        #expect(asker.host.asked.withLock(\.count) == (asksAgain ? 2 : 1))
    }

    @Test func `a patient caller joins no request that ends soon`() async {
        let asker = Asker(.copy)
        async let hasty = asker.code(until: 30_000)
        await asker.host.gate.waitForArrivals()
        #expect(await hasty == nil)
        async let patient = asker.code(until: 300_000)
        await asker.host.gate.waitForArrivals(2)
        asker.host.gate.open()
        #expect(await patient == "cdn-differs")
    }

    @Test func `cancelling ends requests that others replaced`() async {
        let settings = VerificationSettings(client: SlowHost(slow: "", status: 200))
        let requests = SharedRequests<Bool>(limit: 1, settings, now: { 0 }) { _ in 0 }
        let begun = Gate()
        // They end once they are cancelled.
        @Sendable func ask() async -> Bool {
            await begun.pass()
            try? await Task.sleep(for: .seconds(3_600))
            return Task.isCancelled
        }
        async let first = requests.answer(to: "a", since: 0, until: 300_000, isFresh: true, ask)
        async let second = requests.answer(to: "a", since: 0, until: 300_000, isFresh: true, ask)
        await begun.waitForArrivals(2)
        begun.open()
        requests.cancel()
        #expect(await first == true)
        #expect(await second == true)
    }

    @Test func `a cancelled caller waits no longer`() async {
        let asker = Asker(.copy)
        let caller = Task { await asker.code(until: 300_000) }
        await asker.host.gate.waitForArrivals()
        caller.cancel()
        #expect(await caller.value == nil)
        asker.host.gate.open()
    }

    /// Statuses of a file, and whether a second and a third look ask again: a minute and 12 minutes after the first.
    @Test(
        arguments: [
            (200, false, false, true), (404, false, false, true), (503, false, true, true), (429, true, true, true),
        ] as [(Int, Bool, Bool, Bool)])
    func `a file is asked for again in time`(
        status: Int, isSoon: Bool, isLater: Bool, isFresh: Bool
    ) async {
        let asker = Asker(.copy, status: status)
        asker.host.gate.open()
        func asks(at seconds: Int64, isFresh: Bool = false) async -> Bool {
            let before = asker.host.asked.withLock(\.count)
            asker.host.time.store(seconds * 1_000, ordering: .relaxed)
            _ = await asker.code(until: (seconds + 300) * 1_000, isFresh: isFresh)
            return asker.host.asked.withLock(\.count) > before
        }
        #expect(await asks(at: 0))
        // Without Retry-After, 429 asks for a minute.
        #expect(await asks(at: 61) == isSoon)
        #expect(await asks(at: 722) == isLater)
        #expect(await asks(at: 800, isFresh: true) == isFresh)
    }
}
