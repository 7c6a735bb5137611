import Testing
import WaymarkHTTP
import WaymarkServer
import WaymarkSite
import WaymarkSockets

/// Visits that a handler answers from its cache although their queries, rules and limits differ, compared with those of a
/// handler that has seen nothing.
@Suite struct PreparedVisitTests {
    private static let queries: [String?] = [
        nil, "", "utm_source=mail", "fbclid=IwAR0x-_1&utm_campaign=spring", "a=1&a=2&b", "&&a=%20b+c&", "own=9&ref=ana",
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
            {"when": {"language": ["de"]}, "to": "https://de.example.com/?own=2"},
            {"when": {"referrerHost": ["*.news.example"], "platform": ["windows", "android"]},
             "to": {"android": "shop://news", "web": "https://www.example.com/news"}},
            {"when": {"percentage": 50}, "to": "https://www.example.com/half"}]
        """#,
        #"""
        "urls": {"web": "https://www.example.com/"},
        "rules": [{"when": {"query": {"ref": "ana"}}, "to": "https://www.example.com/ana"}]
        """#,
        #""urls": {"web": "https://www.example.com/?\#(String(repeating: "n", count: 300))=1"}"#,
    ]

    private static let visitors = [
        "User-Agent: \(Agent.windows)\r\n", "User-Agent: \(Agent.android)\r\n", "User-Agent: \(Agent.iphone)\r\n",
        "User-Agent: \(Agent.mac)\r\nAccept-Language: de-AT\r\n", "User-Agent: \(Agent.crawler)\r\n",
        "User-Agent: \(Agent.windows)\r\nAccept-Language: de\r\n",
        "User-Agent: \(Agent.windows)\r\nReferer: https://a.news.example/today\r\n", "",
    ]

    /// An answer without its click ID, which each visit has its own of.
    private static func answer(
        _ handler: any RequestHandler, _ request: String
    ) async -> (isCached: Bool, status: UInt16, fields: String) {
        let (head, bytes) = (RequestHead(), Array(request.utf8))
        var parser = RequestParser()
        guard case .head = parser.parse(bytes.span, into: head),
            let peer = Peer(addressText: "192.0.2.7", role: .public)
        else { return (false, 0, request) }
        if let ready = handler.cachedResponse(to: head, in: bytes.span, from: peer)?.takeUnretainedValue() {
            return (true, ready.status.code, masked(ready.fields))
        }
        switch handler.respond(to: head, in: bytes.span, from: peer) {
        case .now(let response): return (false, response.status.code, masked(response.fields.bytes))
        case .later(_, let work):
            let response = await work()
            return (false, response.status.code, masked(response.fields.bytes))
        default: return (false, 0, "no answer to a visit")
        }
    }

    private static func masked(_ fields: [UInt8]) -> String {
        String(decoding: fields, as: UTF8.self).replacing(/_hk_cid(=|%3D|%253D)[\w-]{32}/) { "_hk_cid\($0.1)" }
            .replacing(/waymark(=|%3D|%253D)[\w-]{32}/) { "waymark\($0.1)" }
    }

    @Test(arguments: links) func `prepared visits lead where decided ones do`(link: String) async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            _ = try await fixture.create("{\"slug\": \"abc\", \(link)}")
            let warm = fixture.site.makeHandler()
            for _ in 0..<3 {
                for visitor in Self.visitors {
                    for query in Self.queries {
                        let target = "/abc" + (query.map { "?" + $0 } ?? "")
                        let request = "GET \(target) HTTP/1.1\r\nHost: go.example.com\r\n\(visitor)\r\n"
                        let decided = await Self.answer(fixture.site.makeHandler(), request)
                        let answer = await Self.answer(warm, request)
                        #expect(
                            answer.status == decided.status && answer.fields == decided.fields,
                            "\(target) for \(visitor)")
                    }
                }
            }
        }
    }

    /// Whether the third visit is answered from the cache.
    @Test(
        arguments: [
            (0, "utm_source=mail", true), (0, "fbclid=IwAR0x-_1&utm_campaign=spring", true), (0, "a=%0d", false),
            (0, "_hk_cid=x", false), (1, "own=9", true), (4, "a=1", false), (5, "utm_source=x", true), (6, "K=1", true),
            (7, "a=1", true), (8, "a=1", false), (9, "a=1", true), (9, nil, true), (10, "a=1", true), (10, nil, true),
            (11, nil, false), (12, "a=1", false), (12, nil, true),
        ] as [(Int, String?, Bool)])
    func `plain queries, rules and limits are prepared`(link: Int, query: String?, isPrepared: Bool) async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            _ = try await fixture.create("{\"slug\": \"abc\", \(Self.links[link])}")
            let handler = fixture.site.makeHandler()
            let target = "/abc" + (query.map { "?" + $0 } ?? "")
            let request = "GET \(target) HTTP/1.1\r\nHost: go.example.com\r\n\(Self.visitors[0])\r\n"
            var isCached = false
            // A limit is reserved at first, in pieces that grow.
            for _ in 0..<3 { isCached = await Self.answer(handler, request).isCached }
            #expect(isCached == isPrepared)
        }
    }

    @Test func `prepared visits spend no more clicks than there are`() async throws {
        try await SiteFixture.run(.inProcess) { (fixture: SiteFixture) async throws in
            _ = try await fixture.create(
                #"{"slug": "abc", "urls": {"web": "https://www.example.com/"}, "maxClicks": 200}"#)
            let handlers = (0..<2).map { _ in fixture.site.makeHandler() }
            var statuses: [UInt16: Int] = [:]
            for number in 0..<300 {
                let target = number.isMultiple(of: 3) ? "/abc?a=\(number)" : "/abc"
                let request = "GET \(target) HTTP/1.1\r\nHost: go.example.com\r\n\(Self.visitors[0])\r\n"
                statuses[await Self.answer(handlers[number % 2], request).status, default: 0] += 1
            }
            #expect(statuses == [302: 200, 410: 100])
        }
    }
}
