import Testing

@testable import WaymarkKit

@Suite struct RouteFormatTests {
    @Test(arguments: [
        ("products/:id", "products/:id"), ("/products/:id/", "products/:id"), ("///a//b///c//", "a/b/c"), ("", ""),
        ("////", ""), ("shop:////a", "shop://a"), ("shop:/a", "shop:/a"), ("a://b///c", "a://b/c"), ("x:///", "x:"),
    ])
    func losesSuperfluousSlashes(text: String, format: String) {
        #expect(RouteFormat(text).text == format)
        #expect(RouteFormat(format).text == format)
    }

    @Test func separatesLiteralsAndVariables() {
        let format = RouteFormat("store/:language/product/:id")
        #expect(
            format.segments == [.literal("store"), .variable("language"), .literal("product"), .variable("id")])
        #expect(format.variables == ["language", "id"])
        #expect(RouteFormat("").segments.isEmpty)
    }

    @Test func fillsWholeSegmentsOnly() {
        let format = RouteFormat("a/:id/:id2/x:id")
        #expect(format.filled(["id": "1", "id2": "2"]) == "a/1/2/x:id")
        #expect(format.filled(["id": "a/b c+d", "id2": "é"]) == "a/a%2Fb%20c%2Bd/%C3%A9/x:id")
        #expect(format.filled(["id": "1"]) == nil)
    }
}
