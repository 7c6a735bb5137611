import Testing
import WaymarkHTTP
import WaymarkServer

@Suite struct RouterTests {
    private static let router: Router<String> = {
        var router = Router<String>()
        router.add(.get, to: "root")
        router.add(.get, "api", "v1", "links", to: "list")
        router.add(.post, "api", "v1", "links", to: "create")
        router.add(.post, "api", "v1", "links:batch", to: "batch")
        router.add(.get, "api", "v1", "links", .variable, to: "bySlug")
        router.add(.get, "api", "v1", "links", .variable, .variable, to: "link")
        router.add(.delete, "api", "v1", "links", .variable, .variable, to: "delete")
        router.add(.get, "api", "v1", "links", "go.example.com", "fixed", to: "fixed")
        router.add(.get, "_", .rest, to: "pages")
        router.add(.get, "_", "openapi.json", to: "openapi")
        router.add(.get, .variable, to: "slug")
        router.add(.get, .variable, "qr.png", to: "qr")
        return router
    }()

    private func match(_ method: Method, _ path: String) -> String {
        switch Self.router.match(method, path: Array(path.utf8).span) {
        case .found(let value, let parameters): ([value] + parameters).joined(separator: " ")
        case .methodNotAllowed(let allow): "405 " + Method.allowList(allow)
        case .notFound: "404"
        }
    }

    @Test(arguments: [
        ("/", "root"), ("", "root"), ("/api/v1/links", "list"), ("/api/v1/links/abc", "bySlug abc"),
        ("/api/v1/links/go.example.com/abc", "link go.example.com abc"),
        ("/api/v1/links/go.example.com/fixed", "fixed"), ("/abc", "slug abc"), ("/abc/qr.png", "qr abc"),
        ("/_/", "pages"), ("/_", "pages"), ("/_/a/b/c", "pages"), ("/_/openapi.json", "openapi"),
        // A literal that leads nowhere does not hide the variable beside it.
        ("/api/qr.png", "qr api"),
    ])
    func findsTheMostLiteralRoute(path: String, route: String) {
        #expect(match(.get, path) == route)
        #expect(match(.head, path) == route)
    }

    @Test(arguments: [
        ("/a%62c", "slug abc"), ("/a%2Fb", "slug a/b"), ("/%252F", "slug %2F"), ("/%E2%82%AC", "slug €"),
        ("/a+b", "slug a+b"), ("/%61pi/v1/links", "list"), ("/%2e%2e", "slug .."),
    ])
    func decodesEachSegmentOnceAfterSplitting(path: String, route: String) {
        #expect(match(.get, path) == route)
    }

    @Test(arguments: [
        "/api/v1", "/api/v1/", "/api/v1/links/", "/abc/", "//", "//abc", "/abc/qr.svg", "/%FF", "/%C0%AF", "/%zz", "/%",
        "abc", "/api/v1/links/a/b/c",
    ])
    func knowsNoOtherPath(path: String) {
        #expect(match(.get, path) == "404")
    }

    @Test(arguments: [
        (Method.put, "/api/v1/links", "405 GET, HEAD, POST"), (.get, "/api/v1/links:batch", "405 POST"),
        (.post, "/_/x", "405 GET, HEAD"), (.patch, "/api/v1/links/d/s", "405 GET, HEAD, DELETE"),
        (.head, "/api/v1/links:batch", "405 POST"),
    ])
    func namesTheMethodsThatAPathHas(method: Method, path: String, expected: String) {
        #expect(match(method, path) == expected)
    }

    @Test func keepsLiteralsApartFromTextThatNormalisesAlike() {
        var router = Router<String>()
        // The literal is written with the composed character; the path spells it as letter and accent.
        router.add(.get, "caf\u{E9}", to: "composed")
        guard case .notFound = router.match(.get, path: Array("/cafe%CC%81".utf8).span) else {
            Issue.record("two different byte sequences name one route")
            return
        }
    }
}
