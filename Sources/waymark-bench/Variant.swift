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
    /// Creates the links that only these requests visit; nil if there are none.
    var creation: [UInt8]?
    /// The request for one of the links.
    let request: @Sendable (_ link: Int) -> [UInt8]

    static let links = 1_000

    static let all = [
        Variant(name: "redirect", status: 302) { visit($0, desktop) },
        Variant(name: "redirect-pipelined", status: 302, depth: 16) { visit($0, desktop) },
        Variant(name: "redirect-browser", status: 302) { follow("/s\($0)") },
        Variant(name: "redirect-logged", status: 302, isLogged: true) { visit($0, desktop) },
        Variant(name: "redirect-query", status: 302) { get("/s\($0)?utm_source=mail", desktop) },
        Variant(name: "redirect-android", status: 302) { visit($0, android) },
        Variant(name: "page-iphone", status: 200) { visit($0, iPhone) },
        Variant(name: "redirect-android-query", status: 302) { get("/s\($0)?\(clicked)", android) },
        Variant(name: "page-iphone-query", status: 200) { get("/s\($0)?\(clicked)", iPhone) },
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
        Variant(
            name: "redirect-rules", status: 302,
            creation: creation(of: "r", more: #""rules": [\#(rules)]"#)
        ) { follow("/r\($0)") },
        Variant(name: "redirect-maxclicks", status: 302, creation: creation(of: "m", more: #""maxClicks": 1000000"#)) {
            get("/m\($0)", desktop)
        },
        Variant(name: "long-link", status: 302, isLongLink: true) { longLink($0 % 100) },
        // More different ones than a loop remembers.
        Variant(name: "long-link-new", status: 302, isLongLink: true, request: longLink),
    ]

    /// Makes the links s0 to s999.
    static let creation = creation(of: "s", more: #""queryParameters": {"referrer": "ana"}"#)

    static func creation(of prefix: String, more: String) -> [UInt8] {
        let links = (0..<links).map { number in
            #"{"slug": "\#(prefix)\#(number)", "route": "products/:product_id", "routeParameters": {"product_id": \#(number)}, \#(more)}"#
        }
        return post("/api/v1/links:batch", "[\(links.joined(separator: ","))]")
    }

    /// Ten conditions; the last two match.
    private static let rules = [
        #"{"when": {"language": ["de", "fr"], "platform": ["windows"]}, "to": "https://www.example.com/1"}"#,
        #"{"when": {"referrerHost": ["*.example.org"], "language": ["en"]}, "to": "https://www.example.com/2"}"#,
        #"{"when": {"browser": ["firefox"], "device": ["desktop"]}, "to": "https://www.example.com/3"}"#,
        #"{"when": {"language": ["es"], "before": "2027-01-01T00:00:00Z"}, "to": "https://www.example.com/4"}"#,
        #"{"when": {"language": ["en-GB"], "referrerHost": ["news.example.com"]}, "to": "https://www.example.com/5"}"#,
    ].joined(separator: ",")

    /// What a network of advertisements adds.
    private static let clicked = "utm_source=news&fbclid=IwAR0x-_1abcdefghijklmnopqrstuv"

    private static func visit(_ link: Int, _ userAgent: String) -> [UInt8] { get("/s\(link)", userAgent) }

    /// With the fields of a browser that follows a link from a page.
    static func follow(_ path: String) -> [UInt8] {
        get(
            path, desktop,
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
