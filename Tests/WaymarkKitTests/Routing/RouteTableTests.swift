import Testing
import WaymarkKitCompatibility

@testable import WaymarkKit

@Suite struct RouteTableTests {
    private func table(_ formats: [String], dialect: RoutingDialect = .standard) -> RouteTable<Void> {
        var table = RouteTable<Void>(dialect: dialect)
        for format in formats { _ = table.map(RouteFormat(format), to: ()) }
        return table
    }

    @Test(
        arguments: [
            ("x://a/b", "a/b"), ("x://a/z", "a/:c"), ("x://z/b", ":z/b"), ("x://z/y", ":x/:y"), ("x://a/b/c", "a/:b/c"),
            ("x://a/y/z", "a/:b/:c"), ("x://q/b/c", nil), ("x://q/b/z", nil),
        ] as [(String, String?)])
    func prefersLiteralsFromLeftToRight(url: String, format: String?) {
        let table = table([":x/:y", ":z/b", "a/:c", "a/b", "a/:b/c", "a/:b/:c", ":a/b/:c/d"])
        #expect(table.match(DeepLinkURL(url))?.format.text == format)
    }

    @Test func goesBackWhereALiteralLeadsNowhere() {
        let table = table(["a/b/c", ":x/b/d", "a/:y/e"])
        #expect(table.match("x://a/b/d")?.format.text == ":x/b/d")
        #expect(table.match("x://a/b/e")?.parameters == ["y": "b"])
    }

    @Test func findsTheSameRouteAsATableThatIsSearchedFromTheTop() {
        var generator = SeededGenerator(seed: 4)
        let words = ["a", "b", "A", ":x", ":y", ":z"]
        for _ in 0..<60 {
            let formats = (0..<20).map { _ in
                (0..<Int.random(in: 1...4, using: &generator)).map { _ in words.randomElement(using: &generator) ?? "a"
                }
                .joined(separator: "/")
            }
            for dialect in [RoutingDialect.standard, .ios, .android] {
                let table = table(formats, dialect: dialect)
                let sorted = table.formats
                for _ in 0..<20 {
                    let path = (0..<Int.random(in: 1...4, using: &generator)).map { _ in
                        ["a", "b", "A", "q"].randomElement(using: &generator) ?? "a"
                    }
                    let expected = sorted.first { format in
                        let segments = RouteFormat(format).segments
                        return segments.count == path.count
                            && zip(segments, path).allSatisfy { segment, value in
                                guard case .literal(let text) = segment else { return true }
                                return dialect.comparable(text) == dialect.comparable(value)
                            }
                    }
                    let url = DeepLinkURL("x://" + path.joined(separator: "/"))
                    #expect(table.match(url)?.format.text == expected)
                }
            }
        }
    }

    @Test(
        arguments: [
            ("x://a/b", ["a", "b"]), ("x:a/b", ["a", "b"]), ("x:///a/b/", ["a", "b"]), ("x://a:80/b#f", ["a", "b"]),
            ("x://me@a/b", ["a", "b"]), ("a/b", nil), ("x://", nil), ("x:", nil), ("x:////", nil), ("", nil),
            ("x", nil),
            ("/x:a", nil), ("x://a//b", ["a", "", "b"]), ("x://a/b%2Fc", ["a", "b", "c"]), ("x://a/%zz", ["a", "%zz"]),
            ("x://caf%C3%A9", ["café"]), ("x://a+b", ["a+b"]), ("x://a/b//", ["a", "b", ""]),
            ("x:////a/b", ["a", "b"]),
        ] as [(String, [String]?)])
    func readsSegmentsAsOnIOS(url: String, segments: [String]?) {
        #expect(RoutingDialect.ios.segments(of: DeepLinkURL(url)) == segments)
    }

    @Test(
        arguments: [
            ("x://a/b%2Fc", ["a", "b/c"]), ("x://a%2fb", ["a/b"]), ("x://a//b", ["a", "", "b"]),
            ("x://a/b/", ["a", "b"]),
            ("x://a/b//", ["a", "b", ""]), ("x://a/%2E%2E", ["a", ".."]), ("x://%2F", ["/"]), ("x://A", ["A"]),
        ] as [(String, [String]?)])
    func readsSegmentsAsRFC3986Says(url: String, segments: [String]?) {
        #expect(RoutingDialect.standard.segments(of: DeepLinkURL(url)) == segments)
    }

    @Test(
        arguments: [
            ("x://a//b", ["a", "b"]), ("x://a/b%2Fc", ["a", "b/c"]), ("x://%2F", ["/"]), ("x:///a/b/", ["a", "b"]),
            ("x://a/b///", ["a", "b"]),
        ] as [(String, [String]?)])
    func readsSegmentsAsOnAndroid(url: String, segments: [String]?) {
        #expect(RoutingDialect.android.segments(of: DeepLinkURL(url)) == segments)
    }

    @Test func foldsCaseLetterByLetter() {
        let table = table(["Products/:ID"], dialect: .android)
        #expect(table.match("x://PRODUCTS/Ab")?.parameters == ["ID": "Ab"])
        #expect(table.contains(RouteFormat("products/:id")))
        #expect(CaseFolding.folded("ÄÖÜ ẞ") == CaseFolding.folded("äöü ß"))
        #expect(CaseFolding.folded("ß") != CaseFolding.folded("ss"))
    }

    @Test func holdsTwoSpellingsOfALetterForTwoRoutes() {
        let table = table(["caf\u{E9}", "cafe\u{301}"])
        #expect(table.formats.count == 2)
        #expect(Array(table.match("x://cafe%CC%81")?.format.text.utf8 ?? "".utf8) == Array("cafe\u{301}".utf8))
    }

    @Test func takesAsManyStepsForTenTimesTheRoutes() {
        func steps(_ count: Int) -> Int {
            let table = table((0..<count).map { "shop\($0 % 100)/products\($0)/:id/reviews" })
            var steps = 0
            for index in 0..<count {
                let match = table.match(DeepLinkURL("x://shop\(index % 100)/products\(index)/7/reviews"), steps: &steps)
                #expect(match?.parameters == ["id": "7"])
            }
            return steps / count
        }
        // The root and one place for each segment.
        #expect(steps(1_000) == 5)
        #expect(steps(10_000) == 5)
    }

    @Test func visitsNoPlaceOfTheTreeTwice() {
        // Every way through the tree fits up to its end, where none is found.
        let formats = (0..<256).map { number in
            (0..<8).map { number >> $0 & 1 == 0 ? "a" : ":v\($0)" }.joined(separator: "/") + "/end"
        }
        var steps = 0
        let table = table(formats)
        #expect(
            table.match(DeepLinkURL("x://" + Array(repeating: "a", count: 9).joined(separator: "/")), steps: &steps)
                == nil)
        #expect(steps == 511)
    }

    @Test func looksNoFurtherThanTheLongestRoute() {
        var steps = 0
        let path = String(repeating: "/a", count: 100_000)
        #expect(table(["a/:b"]).match(DeepLinkURL("x:/" + path), steps: &steps) == nil)
        #expect(steps == 0)
    }
}
