import Testing

@testable import WaymarkLinks

/// What chats, printers and people add to a link, and paths behind slugs.
@Suite struct OpenedPathTests {
    @Test(arguments: [
        "sale", "sale/", "sale//", "sale.", "sale,", "sale;", "sale:", "sale!", "sale)", "sale'", "sale\"", "sale ",
        "sale/.", "sale.)", "sale\u{200B}", "sale\u{200C}", "sale\u{200D}", "sale\u{2060}", "sale\u{FEFF}",
        "sale\u{A0}",
        "sale’", "sale”", "sale»", "sale>", "sale…", "sale /., \u{FEFF}\"",
    ])
    func forgivesWhatOthersAdd(_ path: String) {
        #expect(OpenedPath(path).slug?.text == "sale")
        #expect(!OpenedPath(path).showsOnly)
    }

    @Test(arguments: ["sale+", "sale/+", "sale+.", "sale+/", "sale. +)"])
    func seesThePlusSign(_ path: String) {
        #expect(OpenedPath(path).slug?.text == "sale" && OpenedPath(path).showsOnly)
    }

    @Test(arguments: ["", "/", ".", "+", "sale-x y", "/sale", "a//b", "sale?", "sale++", "sale*", "sale-–", "(sale)x"])
    func forgivesNothingElse(_ path: String) {
        #expect(OpenedPath(path).slug == nil)
    }

    @Test(
        arguments: [
            ("sale", ["sale"]), ("sale/", ["sale"]), ("sale%20", ["sale"]), ("%73ale", ["sale"]),
            ("sale/more", ["sale/more", "sale|/more"]),
            ("sale/more/", ["sale/more", "sale|/more/"]),
            ("a/b/c/d/e/f", ["a/b/c/d|/e/f", "a/b/c|/d/e/f", "a/b|/c/d/e/f", "a|/b/c/d/e/f"]),
            ("sale/a%2Fb/%C3%A9", ["sale/a/b/é", "sale/a/b|/%C3%A9", "sale|/a%2Fb/%C3%A9"]), ("sale//x", ["sale|//x"]),
            ("sale/../x", []), ("sale/%2e%2E/x", []), ("sale/a%0Ab", []),
            ("api/x", []), ("sale/x;y", ["sale|/x;y"]), ("sale/%zz", ["sale|/%25zz"]), ("/sale", []),
        ] as [(String, [String])])
    func readsPathsBehindSlugs(_ target: String, _ readings: [String]) {
        let read = OpenedPath.Target(target[...]).readings.map {
            $0.path.isEmpty ? $0.slug.text : "\($0.slug.text)|\($0.path)"
        }
        #expect(read == readings)
    }
}
