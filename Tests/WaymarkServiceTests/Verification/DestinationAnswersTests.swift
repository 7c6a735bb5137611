import Synchronization
import Testing
import WaymarkClient
import WaymarkStores

@testable import WaymarkService

/// How hosts are asked, against a script of answers.
@Suite struct DestinationAnswersTests {
    private final class Script: HTTPSending {
        let asked = Mutex<[String]>([])
        let answer: @Sendable (HTTPRequest) -> HTTPResponse

        init(_ answer: @escaping @Sendable (HTTPRequest) -> HTTPResponse) { self.answer = answer }

        func outcomes(
            of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
        ) async -> [HTTPOutcome] {
            asked.withLock { $0 += requests.map { "\($0.method) \($0.url)" } }
            return requests.map { HTTPOutcome(.success(answer($0))) }
        }

        func obstacle(to url: String) async -> HTTPFailure? { nil }
    }

    private static func answers(_ script: Script, hostInterval: Int64 = 0) -> DestinationAnswers {
        var settings = VerificationSettings(client: script)
        settings.hostInterval = hostInterval
        settings.pause = { _ in }
        let sender = PoliteSender(settings, metrics: VerificationMetrics(), now: { 0 })
        return DestinationAnswers(settings, sender, now: { 0 })
    }

    @Test func `robots.txt is read once for all walks of a host`() async {
        let script = Script { _ in HTTPResponse(status: 200) }
        let answers = Self.answers(script)
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask { _ = await answers.finding("https://a.example/\(number)") }
            }
        }
        #expect(script.asked.withLock { $0.count { $0.hasSuffix("/robots.txt") } } == 1)
    }

    @Test func `a redirect of robots.txt is followed`() async {
        let script = Script { request in
            switch request.url {
            case "https://a.example/robots.txt":
                HTTPResponse(status: 301, fields: [("Location", "https://www.a.example/robots.txt")])
            case "https://www.a.example/robots.txt":
                HTTPResponse(status: 200, body: Array("User-agent: *\nDisallow: /".utf8))
            default: HTTPResponse(status: 200)
            }
        }
        let finding = await Self.answers(script).finding("https://a.example/x")
        #expect(finding?.code == .robots)
    }

    /// Statuses without Location: 300 has its choices in the body, and 304 is no redirect.
    @Test(
        arguments: [
            (300, false), (301, true), (302, true), (303, true), (304, false), (307, true), (308, true),
        ])
    func `a redirect without Location is a fault`(status: Int, isFault: Bool) async {
        let script = Script { request in
            HTTPResponse(status: request.url.hasSuffix("/robots.txt") ? 404 : status)
        }
        let finding = await Self.answers(script).finding("https://a.example/x")
        #expect(finding?.code == (isFault ? .redirectTarget : nil))
    }

    @Test func `GET may have the Location that HEAD lacks`() async {
        let script = Script { request in
            switch "\(request.method) \(request.url)" {
            case "HEAD https://a.example/x": HTTPResponse(status: 302)
            case "GET https://a.example/x": HTTPResponse(status: 302, fields: [("Location", "/y")])
            default: HTTPResponse(status: 200)
            }
        }
        let finding = await Self.answers(script).finding("https://a.example/x")
        #expect(finding == nil)
        #expect(script.asked.withLock(\.last) == "HEAD https://a.example/y")
    }

    @Test func `a host without time for more is asked later`() async {
        let script = Script { _ in HTTPResponse(status: 200) }
        // robots.txt and one destination fit into a minute.
        let answers = Self.answers(script, hostInterval: 60_000)
        let first = await answers.finding("https://a.example/1")
        #expect(first == nil)
        let second = await answers.finding("https://a.example/2")
        #expect(second?.code == .rateLimited && second?.isLate == true)
        let other = await answers.finding("https://b.example/1")
        #expect(other == nil)
    }

    @Test func `after Retry-After a host is not asked again`() async {
        let script = Script { request in
            request.url.hasSuffix("/robots.txt")
                ? HTTPResponse(status: 404) : HTTPResponse(status: 429, fields: [("Retry-After", "600")])
        }
        let answers = Self.answers(script)
        for number in 0..<5 {
            let finding = await answers.finding("https://a.example/\(number)")
            #expect(finding?.code == .rateLimited && finding?.isLate == false)
        }
        #expect(script.asked.withLock(\.self) == ["GET https://a.example/robots.txt", "HEAD https://a.example/0"])
    }
}

extension DestinationAnswers {
    /// What a walk of a round finds.
    fileprivate func finding(_ url: String) async -> Finding? {
        await finding(url, since: 0, until: 300_000, isFresh: false)
    }
}
