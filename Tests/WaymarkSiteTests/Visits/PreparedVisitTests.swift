import Testing
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkSockets

@testable import WaymarkService
@testable import WaymarkSite

/// Visits that a handler answers from its cache although their queries, rules and limits differ, compared with those of a
/// handler that has seen nothing.
@Suite struct PreparedVisitTests {
    private static let queries: [String?] = [
        nil, "", "utm_source=mail", "from=ipad", "fbclid=IwAR0x-_1&utm_campaign=spring", "a=1&a=2&b", "&&a=%20b+c&",
        "own=9&ref=ana",
        "utm_source=%41&own=%31", "a=%0d%0a", "a%20b=1", "a+b=1", "_hk_cid=x", "_HK_md=1", "=x", "a='%27;b=\"", "a=%zz",
        "d=1", "d=1&x=2", "K=1&x=5", "x=/?:@!$(),*~", "ö=é", "amp%26=1",
        "apn=com.example&link=https%3A%2F%2Fevil.example",
        String(repeating: "p=1&", count: 50) + "q=2", String(repeating: "x", count: 2_049),
    ]

    private static let links = [
        #""urls": {"web": "https://www.example.com/page"}"#,
        #""urls": {"web": "https://www.example.com/page?own=1&ref=%61#part"}, "queryParameters": {"mine": "ü&="}"#,
        #""urls": {"web": "https://www.example.com?&x"}"#,
        #""urls": {"web": "https://www.example.com/?"}, "redirectStatus": 301"#,
        #""urls": {"web": "https://www.example.com/waymark-query-place=0"}"#,
        #""urls": {"web": "https://www.example.com/"}, "campaign": {"source": "qr", "name": "autumn"}"#,
        #""urls": {"web": "https://www.example.com/?%E2%84%AA=0&x%26%CC%81=1"}"#,
        #""urls": {"web": "https://www.example.com/?a=0"}, "forwardQuery": false"#,
        #""urls": {"web": "https://www.example.com/?own=0"}, "queryOverride": true, "queryParameters": {"ref": "1"}"#,
        #""route": "products/:product_id", "routeParameters": {"product_id": "é"}, "maxClicks": 1000000"#,
        #"""
        "urls": {"web": "https://www.example.com/"}, "rules": [
            {"name": "German", "when": {"language": ["de"]}, "to": "https://de.example.com/?own=2"},
            {"when": {"referrerHost": ["*.news.example"], "platform": ["windows", "android"]},
             "to": {"android": "shop://news", "web": "https://www.example.com/news"}},
            {"name": "half", "when": {"percentage": 50}, "to": "https://www.example.com/half"}]
        """#,
        #"""
        "urls": {"web": "https://www.example.com/"},
        "rules": [{"when": {"query": {"ref": "ana"}}, "to": "https://www.example.com/ana"}]
        """#,
        #""urls": {"web": "https://www.example.com/?\#(String(repeating: "n", count: 300))=1"}"#,
        #"""
        "urls": {"ios": {"link": "shop://sale?own=1", "fallback": "store"}, "web": "https://www.example.com/?x",
            "android": {"link": "shop://sale?#part", "fallback": "https://www.example.com/app?ref=1"}},
        "queryParameters": {"mine": "a b"}, "campaign": {"source": "qr", "medium": "ü"}, "metadata": {"a": 1}
        """#,
        #""urls": {"ios": "shop://sale", "android": "shop://sale"}, "forwardQuery": false"#,
        #""urls": {"web": "https://www.example.com/p", "ipad": "https://www.example.com/p?from=ipad"}"#,
        #"""
        "urls": {"ios": "shop://sale", "android": "shop://sale", "web": "https://www.example.com/"},
        "social": {"title": "A 'waymark~query~place~' & more"}
        """#,
    ]

    private static let visitors = [
        "User-Agent: \(Agent.windows)\r\n", "User-Agent: \(Agent.android)\r\n", "User-Agent: \(Agent.iphone)\r\n",
        "User-Agent: \(Agent.mac)\r\nAccept-Language: de-AT\r\n", "User-Agent: \(Agent.crawler)\r\n",
        "User-Agent: \(Agent.windows)\r\nAccept-Language: de\r\n",
        "User-Agent: \(Agent.windows)\r\nReferer: https://a.news.example/today\r\n", "",
        "User-Agent: \(Agent.iphone) Instagram 361.0.0.35.82\r\nAccept-Language: de\r\n",
        "User-Agent: \(Agent.android) Instagram 361.0.0.35.82 Android\r\n",
        "User-Agent: \(Agent.ipad)\r\n",
    ]

    /// A response without its click IDs, which each visit has its own of.
    private struct Answer: Equatable {
        var isCached = false
        var text = ""
        /// Of the clicks on the handler's loop.
        var rules: [[String?]] = []
    }

    /// Takes the clicks of a handler.
    private static func rules(_ handler: any RequestHandler) -> [[String?]] {
        var rules: [[String?]] = []
        (handler as? SiteHandler)?.visits.cached.clicks.drain { clicks in
            for index in clicks.indices {
                rules.append([clicks[index].profile[.rule], clicks[index].profile[.variant]])
            }
        }
        return rules
    }

    private static func answer(_ handler: any RequestHandler, _ request: String) async -> Answer {
        let (head, bytes, sent) = (RequestHead(), Array(request.utf8), ByteBuffer())
        let date = DateLine(unixSeconds: 784_111_777)
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head),
            let peer = Peer(addressText: "192.0.2.7", role: .public)
        else { return Answer() }
        if let ready = handler.cachedResponse(to: head, in: bytes.span, from: peer)?.takeUnretainedValue() {
            ready.append(to: sent, date: date, persistence: .implied)
            ready.appendBody(to: sent)
            return Answer(isCached: true, text: masked(sent.bytes), rules: rules(handler))
        }
        let response: Response
        switch handler.respond(to: head, in: bytes.span, from: peer) {
        case .now(let decided): response = decided
        case .later(_, let work): response = await work()
        default: return Answer()
        }
        let body = response.body.inMemory ?? []
        ResponseHead(status: response.status, fields: response.fields, contentLength: UInt64(body.count))
            .append(to: sent, date: date, persistence: .implied)
        return Answer(text: masked(sent.bytes + body), rules: rules(handler))
    }

    /// A handler without room for responses.
    private static func decider(_ fixture: SiteFixture) -> any RequestHandler {
        var options = fixture.site.options
        options.visitCacheBytes = 0
        return Site(
            service: fixture.service, background: fixture.site.background, options: options, logger: fixture.site.logger
        ).makeHandler()
    }

    private static func masked(_ response: [UInt8]) -> String {
        String(decoding: response, as: UTF8.self)
            .replacing(/_hk_cid(=|%3D|%253D|%25253D)[\w-]{32}/) { "_hk_cid\($0.1)" }
            .replacing(/waymark(=|%3D|%253D)[\w-]{32}/) { "waymark\($0.1)" }
    }

    @Test(arguments: links) func `prepared visits lead where decided ones do`(link: String) async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            _ = try await fixture.create("{\"slug\": \"abc\", \(link)}")
            let warm = fixture.site.makeHandler()
            let decider = Self.decider(fixture)
            var rules: Set<String?> = []
            for _ in 0..<3 {
                for visitor in Self.visitors {
                    for query in Self.queries {
                        let target = "/abc" + (query.map { "?" + $0 } ?? "")
                        let request = "GET \(target) HTTP/1.1\r\nHost: go.example.com\r\n\(visitor)\r\n"
                        let decided = await Self.answer(decider, request)
                        #expect(!decided.isCached)
                        let answer = await Self.answer(warm, request)
                        #expect(answer.text == decided.text, "\(target) for \(visitor)")
                        // Visits that wait for the store leave their clicks elsewhere.
                        if !answer.rules.isEmpty, !decided.rules.isEmpty {
                            #expect(answer.rules == decided.rules, "\(target) for \(visitor)")
                            rules.formUnion(answer.isCached ? answer.rules.map { $0[0] } : [])
                        }
                    }
                }
            }
            if link.contains("German") { #expect(rules.isSuperset(of: [nil, "German", "2"])) }
        }
    }

    /// Whether the fourth visit is answered from the cache: the first one loads the link, the second and third one fill it.
    @Test(
        arguments: [
            (9, 1, "fbclid=x", true), (9, 2, "fbclid=x", true), (9, 2, nil, true), (9, 10, "a=1", true),
            (13, 1, "own=2&x=/a,b&mine=3", true), (13, 2, "own=2&x=/a,b&mine=3", true), (13, 8, "a=%C3%BC", true),
            (13, 9, "utm_source=x&y", true), (14, 1, "a=1", true), (14, 8, "a=1", true), (16, 4, "a=1", false),
            (15, 3, "a=1", false),
            (16, 2, "a=1", false), (13, 2, "a='", false),
        ] as [(Int, Int, String?, Bool)]
            + ([
                (0, "utm_source=mail", true), (0, "fbclid=IwAR0x-_1&utm_campaign=spring", true), (0, "a=%0d", false),
                (0, "_hk_cid=x", false), (1, "own=9", true), (4, "a=1", true), (5, "utm_source=x", true),
                (6, "K=1", true),
                (7, "a=1", true), (8, "a=1", false), (9, "a=1", true), (9, nil, true), (10, "a=1", true),
                (10, nil, true),
                (11, nil, false), (12, "a=1", false), (12, nil, true),
            ] as [(Int, String?, Bool)]).map { ($0.0, 0, $0.1, $0.2) })
    func `plain queries, rules and limits are prepared`(
        link: Int, visitor: Int, query: String?, isPrepared: Bool
    ) async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            _ = try await fixture.create("{\"slug\": \"abc\", \(Self.links[link])}")
            let handler = fixture.site.makeHandler()
            let target = "/abc" + (query.map { "?" + $0 } ?? "")
            let request = "GET \(target) HTTP/1.1\r\nHost: go.example.com\r\n\(Self.visitors[visitor])\r\n"
            var isCached = false
            // A limit is reserved at first, in pieces that grow.
            for _ in 0..<4 { isCached = await Self.answer(handler, request).isCached }
            #expect(isCached == isPrepared)
        }
    }

    @Test func `prepared visits spend no more clicks than there are`() async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            _ = try await fixture.create(
                #"{"slug": "abc", "urls": {"web": "https://www.example.com/"}, "maxClicks": 200}"#)
            let handlers = (0..<2).map { _ in fixture.site.makeHandler() }
            var statuses: [String: Int] = [:]
            for number in 0..<300 {
                let target = number.isMultiple(of: 3) ? "/abc?a=\(number)" : "/abc"
                let request = "GET \(target) HTTP/1.1\r\nHost: go.example.com\r\n\(Self.visitors[0])\r\n"
                let answer = await Self.answer(handlers[number % 2], request)
                statuses[String(answer.text.dropFirst(9).prefix(3)), default: 0] += 1
            }
            #expect(statuses == ["302": 200, "410": 100])
        }
    }
}
