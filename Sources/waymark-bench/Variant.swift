/// One kind of request whose cost is looked at.
struct Variant: Sendable {
    let name: String
    let status: Int
    /// How many requests are sent in one go, before the first answer is awaited.
    var depth = 1
    /// Whether the server with the access log is asked.
    var isLogged = false
    /// Whether the application that serves long links is needed.
    var isLongLink = false
    /// The request for one of the links.
    let request: @Sendable (_ link: Int) -> [UInt8]

    static let links = 1_000

    static let all = [
        Variant(name: "redirect", status: 302) { visit($0, desktop) },
        Variant(name: "redirect-pipelined", status: 302, depth: 16) { visit($0, desktop) },
        Variant(name: "redirect-browser", status: 302, request: follow),
        Variant(name: "redirect-logged", status: 302, isLogged: true) { visit($0, desktop) },
        Variant(name: "redirect-query", status: 302) { get("/s\($0)?utm_source=mail", desktop) },
        Variant(name: "redirect-android", status: 302) { visit($0, android) },
        Variant(name: "page-iphone", status: 200) { visit($0, iPhone) },
        Variant(name: "unknown-slug", status: 404) { get("/nobody\($0)", desktop) },
        Variant(name: "association", status: 200) { _ in get("/.well-known/apple-app-site-association", "swcd") },
        Variant(name: "health", status: 200) { _ in get("/healthz", "probe") },
        Variant(name: "resolve", status: 200) {
            post("/api/v1/resolve", #"{"smartlink": "https://go.example.com/s\#($0)", "platform": "ios"}"#)
        },
        Variant(name: "create", status: 201) {
            post(
                "/api/v1/links",
                #"{"route": "products/:product_id", "routeParameters": {"product_id": \#($0)}, "queryParameters": {"referrer": "ana"}}"#
            )
        },
        Variant(name: "long-link", status: 302, isLongLink: true) { longLink($0 % 100) },
        // More different ones than a loop remembers.
        Variant(name: "long-link-new", status: 302, isLongLink: true, request: longLink),
    ]

    /// Makes the links s0 to s999.
    static let creation = post(
        "/api/v1/links:batch",
        "["
            + (0..<links).map {
                #"{"slug": "s\#($0)", "route": "products/:product_id", "routeParameters": {"product_id": \#($0)}, "queryParameters": {"referrer": "ana"}}"#
            }.joined(separator: ",") + "]")

    private static func visit(_ link: Int, _ userAgent: String) -> [UInt8] { get("/s\(link)", userAgent) }

    /// With the fields of a browser that follows a link from a page.
    private static func follow(_ link: Int) -> [UInt8] {
        get(
            "/s\(link)", desktop,
            more: """
                Accept-Language: en-GB,en;q=0.9\r
                Accept-Encoding: gzip, deflate, br\r
                Referer: https://news.example.com/today\r
                Sec-CH-UA-Platform: "Linux"\r
                Sec-CH-UA-Mobile: ?0\r
                Sec-Fetch-Mode: navigate\r
                Upgrade-Insecure-Requests: 1\r

                """)
    }

    private static func longLink(_ link: Int) -> [UInt8] {
        get(
            "/?link=https%3A%2F%2Fshop.example.com%2Fproducts%2F\(link)&apn=com.example.promo&ibi=com.example.promo&isi=123456789",
            desktop, host: BenchmarkSite.longLinkHost)
    }

    private static func get(
        _ path: String, _ userAgent: String, host: String = BenchmarkSite.host, more: String = ""
    ) -> [UInt8] {
        Array(
            ("GET \(path) HTTP/1.1\r\nHost: \(host)\r\nUser-Agent: \(userAgent)\r\n"
                + more + "Accept: */*\r\n\r\n").utf8)
    }

    private static func post(_ path: String, _ body: String) -> [UInt8] {
        Array(
            ("POST \(path) HTTP/1.1\r\nHost: \(BenchmarkSite.host)\r\nAuthorization: Bearer \(BenchmarkSite.adminKey)\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)").utf8)
    }

    static let desktop =
        "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"
    static let android =
        "Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Mobile Safari/537.36"
    static let iPhone =
        "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Mobile/15E148 Safari/604.1"
}
