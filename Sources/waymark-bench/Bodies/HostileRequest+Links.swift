extension HostileRequest {
    /// The body of a link with some members more.
    private static func link(
        _ name: String, _ count: Int, _ statuses: [Int] = [422, 422], _ members: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        HostileRequest("create-" + name, "/api/v1/links", count, statuses) { "{\(web),\(members($0))}" }
    }

    static let links: [HostileRequest] =
        [
            link("unknown", 35_000) { members($0, "0") },
            link("unknown-array", 200_000) { "\"x\":\(list($0, "0"))" },
            link("unknown-objects", 60_000) { "\"x\":\(list($0, #"{"":0}"#))" },
            link("unknown-depth", 9_000) { "\"x\":\(list($0, repeated("[", 25) + repeated("]", 25)))" },
            link("errors", 170_000) { "\(members(200, "1")),\"tags\":\(list($0, "\"\""))" },
            link("tags", 100_000) { "\"tags\":\(list($0, "\"a\""))" },
            link("parameters", 25_000) { "\"queryParameters\":{\(members($0, "1"))}" },
            link("route-parameters", 25_000) { "\"routeParameters\":{\(members($0, "1"))}" },
            link("metadata", 700, [201, 201]) { "\"metadata\":{\(members($0, "0"))}" },
            link("metadata-wide", 200_000) { "\"metadata\":{\"a\":\(list($0, "0"))}" },
            link("metadata-names", 35_000) { "\"metadata\":{\(members($0, "0"))}" },
            link("metadata-depth", 14, [201, 201]) { "\"metadata\":\(repeated("{\"a\":", $0))0\(repeated("}", $0))" },
            link("digits", 450_000) { "\"maxClicks\":\(repeated("9", $0))" },
            link("decimal", 450_000) { "\"queryParameters\":{\"a\":0.\(repeated("9", $0))e5}" },
            link("exponents", 100) { "\"queryParameters\":{\(members($0, "9e999"))}" },
            link("text", 450_000) { "\"social\":{\"title\":\"\(repeated("a", $0))\"}" },
            link("escapes", 80_000) { "\"social\":{\"title\":\"\(repeated("\\u00e9", $0))\"}" },
            link("name", 450_000) { "\"\(repeated("n", $0))\":1" },
            link("combining", 200_000) { "\"e\(repeated("\u{301}", $0))\":1" },
            link("combining-parameter", 200_000) { "\"queryParameters\":{\"e\(repeated("\u{301}", $0))\":1}" },
            link("combining-value", 200_000) { "\"routeParameters\":{\"a\":\"e\(repeated("\u{301}", $0))\"}" },
            link("controls", 100) { count in
                elements(count) { "\"\(repeated("\\u0001", 90))\($0)\":1" }
            },
            link("slug", 450_000) { "\"slug\":\"\(repeated("a", $0))\"" },
            link("slug-segments", 200_000) { "\"slug\":\"\(repeated("a/", $0))a\"" },
            link("domain", 200_000) { "\"domain\":\"\(repeated("a.", $0))a\"" },
            link("time", 450_000) { "\"validFrom\":\"2030-01-01T00:00:00.\(repeated("0", $0))Z\"" },
            link("version", 200_000) { "\"minimumVersion\":{\"ios\":\"\(repeated("1.", $0))1\"}" },
            link("route", 200_000) { "\"route\":\"\(repeated("a/", $0))a\"" },
            link("route-variables", 50_000) { count in
                "\"route\":\"" + elements(count, separator: "/") { ":v\($0)" } + "\""
            },
        ] + longURLs

    /// A URL for the web that grows.
    private static func url(_ name: String, _ count: Int, _ url: @escaping @Sendable (Int) -> String) -> HostileRequest
    {
        HostileRequest("create-url-" + name, "/api/v1/links", count) { "{\"urls\":{\"web\":\"\(url($0))\"}}" }
    }

    private static let longURLs: [HostileRequest] = [
        HostileRequest("create-urls", "/api/v1/links", 17_000) {
            "{\"urls\":{\(members($0, #""https://a.example/""#))}}"
        },
        url("path", 450_000) { "https://shop.example.com/\(repeated("a", $0))" },
        url("dots", 150_000) { "https://shop.example.com/\(repeated("../", $0))" },
        url("escapes", 150_000) { "https://shop.example.com/\(repeated("%41", $0))" },
        url("labels", 200_000) { "https://\(repeated("a.", $0))example/" },
        url("items", 200_000) { "https://shop.example.com/?\(repeated("a&", $0))" },
        url("variables", 50_000) { count in
            "https://shop.example.com/" + elements(count, separator: "/") { ":v\($0)" }
        },
    ]

    // MARK: Patches

    private static let patched = [call("POST", "/api/v1/links", #"{"slug":"a","metadata":{"a":1},\#(web)}"#)]

    private static func patch(
        _ name: String, _ count: Int, _ statuses: [Int] = [422, 422], _ members: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        var request = HostileRequest(
            "patch-" + name, "/api/v1/links/go.example.com/a", count, statuses, method: "PATCH"
        ) { "{\(members($0))}" }
        request.preparations = patched
        return request
    }

    static let patches: [HostileRequest] = [
        patch("nulls", 30_000) { members($0, "null") },
        patch("urls", 30_000) { "\"urls\":{\(members($0, "null"))}" },
        patch("parameters", 100, [200, 200]) { "\"queryParameters\":{\(members($0, "null"))}" },
        patch("metadata", 700, [200, 200]) { "\"metadata\":{\(members($0, "0"))}" },
        patch("metadata-nulls", 2_000, [200, 200]) { "\"metadata\":{\(members($0, "null"))}" },
        patch("metadata-wide", 30_000) { "\"metadata\":{\(members($0, "null"))}" },
        patch("tags", 100_000) { "\"tags\":\(list($0, "\"a\""))" },
        patch("rules", 25, [200, 200]) { rules($0) { "\"query\":{\"a\":\(values(20, of: $0) { "v\($0)" })}" } },
    ]

    // MARK: Batches

    private static func batch(
        _ name: String, _ count: Int, _ statuses: [Int] = [200, 200], _ link: @escaping @Sendable (Int) -> String
    ) -> HostileRequest {
        var request = HostileRequest("batch-" + name, "/api/v1/links:batch", count, statuses) {
            "[\(elements($0, link))]"
        }
        request.maximum = .batch
        return request
    }

    static let batches: [HostileRequest] = {
        let unknown = members(100, "1", prefix: repeated("n", 20))
        let rules = Self.rules(10) { "\"query\":{\"a\":\(values(20, of: $0) { "v\($0)" })}" }
        let metadata = members(300, "0")
        var kept = batch("idempotent", 100) { _ in "{\(web),\"metadata\":{\(metadata)}}" }
        kept.fields = { "Idempotency-Key: k\($0)\r\n" }
        return [
            batch("links", 100) { _ in "{\(web)}" },
            batch("same-slug", 100) { _ in "{\"slug\":\"a\",\(web)}" },
            batch("unique", 100) { "{\"unique\":true,\"tags\":[\"\($0)\"],\(web)}" },
            batch("errors", 100) { _ in "{\(unknown)}" },
            batch("rules", 100) { _ in "{\(web),\(rules)}" },
            batch("wide", 300_000, [422, 422]) { _ in "0" },
            batch("objects", 100_000, [422, 422]) { _ in "{\"a\":0}" },
            kept,
        ]
    }()
}
