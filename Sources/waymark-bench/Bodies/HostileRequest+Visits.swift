extension HostileRequest {
    /// The body of a link at `a` with 50 rules of 20 parameters, as many values as a link may have.
    static let ruledLink =
        "{\"slug\":\"a\",\(web),"
        + rules(50) { rule in "\"query\":{\(members(20, "\"v\(rule)\"", prefix: "p"))}" } + "}"

    /// `p0=w&p1=w…`
    static func queryItems(_ count: Int) -> String {
        elements(count, separator: "&") { "p\($0)=w" }
    }

    /// What visits and explanations of them are asked about, and listings.
    static let visits: [HostileRequest] =
        explanations + listings + [
            visit("query", 900, fields: { _ in "" }) { "?" + queryItems($0) },
            visit("languages", 300, fields: { "Accept-Language: " + elements($0) { _ in "de-AT;q=0.5" } + "\r\n" }) {
                _ in ""
            },
            visit(
                "fields", 40,
                fields: { count in
                    (0..<count).map { "X-A\($0): a\r\n" }.joined()
                }
            ) { _ in "" },
        ]

    private static func visit(
        _ name: String, _ count: Int, fields: @escaping @Sendable (Int) -> String,
        query: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        var request = HostileRequest("visit-" + name, "/a", count, [302, 302], method: "GET")
        request.preparations = [call("POST", "/api/v1/links", ruledLink)]
        request.fields = { "User-Agent: \(Variant.desktop)\r\n" + fields($0) }
        request.query = query
        return request
    }

    private static let listings: [HostileRequest] = {
        // Searching for it compares most bytes twice.
        let url = "https://shop.example.com/" + repeated("a", 4_000)
        let link = "{\"urls\":{\"web\":\"\(url)\"}}"
        var search = HostileRequest("list-search", "/api/v1/links", 99, [200, 200], method: "GET")
        search.preparations = [call("POST", "/api/v1/links:batch", list(200, link))]
        search.maximum = .time
        search.query = { "?query=" + repeated("a", $0) + "b" }
        var names = HostileRequest("list-parameters", "/api/v1/links", 1_000, method: "GET")
        names.query = { count in "?" + elements(count, separator: "&") { "q\($0)" } }
        return [search, names]
    }()

    private static let explanations: [HostileRequest] = {
        func explain(
            _ name: String, _ count: Int, _ statuses: [Int] = [200, 200],
            url: @escaping @Sendable (Int) -> String = { _ in "" },
            headers: @escaping @Sendable (Int) -> String = { _ in "" }
        ) -> HostileRequest {
            var request = HostileRequest("explain-" + name, "/api/v1/explain", count, statuses) {
                "{\"url\":\"https://go.example.com/a\(url($0))\",\"headers\":{\(headers($0))}}"
            }
            request.preparations = [call("POST", "/api/v1/links", ruledLink)]
            return request
        }
        return [
            explain("headers", 40, headers: { members($0, "\"a\"", prefix: "X-A") }),
            explain("headers-wide", 25_000, [422, 422], headers: { members($0, "\"\"") }),
            explain("header", 400_000, [422, 422], headers: { "\"Referer\":\"\(repeated("a", $0))\"" }),
            explain(
                "languages", 300, headers: { "\"Accept-Language\":\"" + elements($0) { _ in "de-AT;q=0.5" } + "\"" }),
            explain("agent", 1_700, headers: { "\"User-Agent\":\"Mozilla/5.0 \(repeated("(a;", $0))\"" }),
            explain("query", 280, url: { "?" + queryItems($0) }),
            explain("url", 450_000, [422, 422], url: { repeated("a", $0) }),
        ]
    }()
}
