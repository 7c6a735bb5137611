import Testing
import WaymarkJSON

/// Random links and random visitors: what an explanation says is what the visitor gets.
@Suite struct ExplainAgreementTests {
    private static let agents = [
        "", Agent.windows, Agent.iphone, Agent.ipad, Agent.mac, Agent.android, Agent.crawler, Agent.search,
        "curl/8.5.0", "Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0",
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Mobile/15E148 Instagram 350.0",
        "Mozilla/5.0 (Linux; Android 15; Pixel 9; wv) AppleWebKit/537.36 Version/4.0 Chrome/130 Mobile Safari/537.36",
    ]

    private static let urls = [
        "web": ["https://web.example/a?x=1#f", "https://web.example/"],
        "ios": ["shop://ios/home", "https://ios.example/"], "iphone": ["shop://iphone"],
        "ipad": ["https://ipad.example/"],
        "android": ["shop://android/home", "https://android.example/"],
        "macos": ["https://mac.example/", "shop://mac"],
        "windows": ["https://windows.example/"], "linux": ["https://linux.example/"],
    ]

    private func link(_ number: Int, _ random: inout SeededRandom) -> String {
        var members = ["\"slug\": \"s\(number)\""]
        if random.often(50) {
            members.append(#""route": "products/:product_id", "routeParameters": {"product_id": "4 2"}"#)
        }
        var urls: [String] = []
        for (platform, choices) in Self.urls.sorted(by: { $0.key < $1.key }) where random.often(40) {
            let url = random.one(choices)
            let fallback = random.one([
                "", #", "fallback": "store""#, #", "fallback": "web""#, #", "fallback": "https://f.example/""#,
            ])
            urls.append(#""\#(platform)": {"link": "\#(url)"\#(fallback)}"#)
        }
        if members.count == 1, urls.isEmpty { urls.append(#""web": "https://web.example/""#) }
        if !urls.isEmpty { members.append(#""urls": {\#(urls.joined(separator: ", "))}"#) }
        if random.often(30) { members.append(#""queryParameters": {"referrer": "a b"}"#) }
        if random.often(30) { members.append(#""metadata": {"a": 1}"#) }
        if random.often(30) { members.append(#""social": {"title": "Hello"}"#) }
        if random.often(30) { members.append(#""campaign": {"source": "mail", "name": "n"}"#) }
        if random.often(20) { members.append(#""forwardQuery": false"#) }
        if random.often(10) { members.append(#""disabled": true"#) }
        if random.often(10) { members.append(#""expiresAt": "2026-11-21T09:00:00Z""#) }
        if random.often(10) { members.append(#""validFrom": "2026-11-21T11:00:00Z""#) }
        if random.often(10) { members.append(#""maxClicks": 1000"#) }
        if random.often(40) {
            let when = random.one([
                #""language": "de""#, #""percentage": 50"#, #""query": {"a": "b"}"#, #""platform": ["ios", "android"]"#,
                #""referrerHost": "news.example""#, #""browser": ["firefox", "chrome"]"#, #""inApp": true"#,
            ])
            let to = random.one([
                #""https://rule.example/?x=3""#, #"{"ios": "shop://rule", "web": "https://rule.example/web"}"#,
                #"{"android": {"link": "shop://rule", "fallback": "web"}, "macos": "https://rule.example/mac"}"#,
            ])
            members.append(#""rules": [{"when": {\#(when)}, "to": \#(to)}]"#)
        }
        return "{\(members.joined(separator: ", "))}"
    }

    private func headers(_ random: inout SeededRandom) -> [(String, String)] {
        var headers: [(String, String)] = []
        let agent = random.one(Self.agents)
        if !agent.isEmpty { headers.append(("User-Agent", agent)) }
        if random.often(20) {
            headers.append(("Sec-CH-UA-Platform", random.one(["\"Android\"", "\"Windows\"", "\"x\""])))
        }
        if random.often(20) { headers.append(("Sec-CH-UA-Mobile", random.one(["?0", "?1"]))) }
        if random.often(20) { headers.append(("Accept", random.one(["application/json", "text/html", "*/*"]))) }
        if random.often(40) { headers.append(("Accept-Language", random.one(["de-AT,de;q=0.9,en;q=0.1", "en", "*"]))) }
        if random.often(10) { headers.append(("Sec-Purpose", "prefetch")) }
        if random.often(20) {
            headers.append(("Referer", random.one(["https://news.example/x", "android-app://com.a"])))
        }
        return headers
    }

    /// The answer with every click's id replaced: each click has another one.
    private func withoutIDs(_ text: String) -> String {
        var text = text
        for mark in ["_hk_cid=", "waymark%253D", "waymark%3D", "waymark="] {
            var parts = text.components(at: mark)
            for location in parts.indices.dropFirst() { parts[location] = "ID" + parts[location].dropFirst(32) }
            text = parts.joined(separator: mark)
        }
        return text
    }

    /// Where a visit leads, read from its answer alone: the redirect, the deep link in it, or the page's button.
    private func isTarget(_ target: String?, of answer: TestAnswer) -> Bool {
        guard let target else { return answer[header: "Location"] == nil }
        guard let location = answer[header: "Location"] else {
            let start = target.prefix { $0 != "#" }.replacing("&", with: "&amp;")
            // A browser inside an app on Android gets the button of the page as an intent.
            let intent = "intent" + start.drop { $0 != ":" }
            return answer.text.contains("href=\"\(start)") || answer.text.contains("href=\"\(intent)")
        }
        var plain = location
        if let intent = location.firstRange(of: "#Intent;scheme=") {
            let scheme = location[intent.upperBound...].prefix { $0 != ";" }
            plain = String(scheme) + location[..<intent.lowerBound].dropFirst("intent".count)
        }
        let fragment = plain.firstIndex(of: "#").map { String(plain[$0...]) } ?? ""
        let parts = plain.dropLast(fragment.count).split(separator: "?", maxSplits: 1)
        let pairs = parts.dropFirst().first.map { $0.split(separator: "&") } ?? []
        let query = pairs.filter { !$0.hasPrefix("_hk_") }.map { pair -> String in
            // The click ID in Play's referrer.
            guard pair.hasPrefix("referrer=waymark"), let end = pair.firstRange(of: "%26") else { return String(pair) }
            return "referrer=" + pair[end.upperBound...]
        }
        return target == parts[0] + (query.isEmpty ? "" : "?" + query.joined(separator: "&")) + fragment
    }

    /// 5,250 pairs of a link and a visitor.
    @Test(arguments: [UInt64(1), 2, 3])
    func saysWhatTheVisitorGets(seed: UInt64) async throws {
        var random = SeededRandom(state: seed)
        var links: [String] = []
        for number in 0..<40 { links.append(link(number, &random)) }
        var visits: [(target: String, host: String, headers: [(String, String)])] = []
        for _ in 0..<1_750 {
            let number = Int.random(in: 0..<42, using: &random)
            let target = "/s\(number)" + random.one(["", "", "", "+", "?a=b&x=2", "?utm_source=x"])
            visits.append(
                (target, random.one(["go.example.com", "go.example.com", "open.example.com"]), headers(&random)))
        }
        let shop = SiteFixture.shop.replacing(
            #""baseURL": "https://go.example.com","#,
            with: #""baseURL": "https://go.example.com", "openHost": "open.example.com","#)
        try await SiteFixture.run(.inProcess, applications: [seed == 2 ? shop : SiteFixture.shop]) { fixture in
            for link in links { _ = try await fixture.create(link) }
            for visit in visits {
                let fields = visit.headers.map { "\"\($0.0)\": \(JSONValue($0.1).text())" }.joined(separator: ", ")
                let explained = try await fixture.call(
                    "POST", "/api/v1/explain",
                    #"{"url": "https://\#(visit.host)\#(visit.target)", "ip": "127.0.0.1", "headers": {\#(fields)}}"#)
                try #require(explained.status == 200, "\(explained.text)")
                let real = try await fixture.client.send(
                    TestRequest("GET", visit.target, host: visit.host, headers: visit.headers))
                let location: Comment = "\(visit.host)\(visit.target) \(visit.headers)"
                #expect(explained.json["response"]?["status"]?.integer == real.status, location)
                var got: [String: String] = [:]
                for (name, value) in real.headers { got[name] = withoutIDs(value) }
                var said: [String: String] = [:]
                for member in explained.json["response"]?["headers"]?.object?.members ?? [] {
                    said[member.name] = withoutIDs(member.value.string ?? "")
                }
                #expect(said == got, location)
                let target = explained.json["leadsTo"]?.string
                #expect(isTarget(target, of: real), "\(target ?? "nowhere"): \(location)")
            }
        }
    }
}

extension String {
    fileprivate func components(at mark: String) -> [String] {
        var parts: [String] = []
        var rest = self[...]
        while let range = rest.firstRange(of: mark) {
            parts.append(String(rest[..<range.lowerBound]))
            rest = rest[range.upperBound...]
        }
        return parts + [String(rest)]
    }
}
