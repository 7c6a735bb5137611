import Testing
import WaymarkSite

@Suite struct QRCodeSVGTests {
    @Test(arguments: [(64, 4, 21), (512, 4, 29), (512, 0, 177), (2048, 16, 177), (64, 16, 177), (65, 1, 25)])
    func coversTheDarkModulesAndNothingElse(size: Int, margin: Int, side: Int) throws {
        let code = try #require(Samples.code(side: side))
        let picture = try #require(code.svg(size: size, margin: margin))
        let document = try #require(SVGDocument(picture))
        let squares = try #require(document.coveredSquares)
        var expected: Set<[Int]> = []
        for row in 0..<side {
            for column in 0..<side where code.modules[row: row, column: column] {
                expected.insert([column + margin, row + margin])
            }
        }
        #expect(squares == expected)
    }

    @Test func saysHowLargeItIsAndHowItIsDrawn() throws {
        let picture = try #require(Samples.code(side: 25)?.svg(size: 300, margin: 3))
        let document = try #require(SVGDocument(picture))
        #expect(document.elements.map(\.name) == ["svg", "title", "rect", "path"])
        #expect(document.attribute("xmlns", of: "svg") == "http://www.w3.org/2000/svg")
        #expect(document.attribute("width", of: "svg") == "300")
        #expect(document.attribute("height", of: "svg") == "300")
        #expect(document.attribute("viewBox", of: "svg") == "0 0 31 31")
        #expect(document.attribute("shape-rendering", of: "svg") == "crispEdges")
        #expect(document.elements[2].attributes == ["width": "31", "height": "31", "fill": "#FFFFFF"])
        #expect(document.attribute("fill", of: "path") == "#000000")
    }

    @Test func `the image has the colours of the palette`() throws {
        let palette = try #require(Samples.palette)
        let picture = try #require(Samples.code()?.svg(palette: palette))
        let document = try #require(SVGDocument(picture))
        #expect(document.attribute("fill", of: "rect") == "#FFF4E0")
        #expect(document.attribute("fill", of: "path") == "#102A43")
    }

    /// text of the code → text of the title as an XML parser reads it.
    @Test(arguments: [
        ("https://go.example.com/a?b=1&c=2", "https://go.example.com/a?b=1&c=2"),
        ("</title><script>alert(1)</script>", "</title><script>alert(1)</script>"),
        ("]]> &amp; \"quoted\" 'too'", "]]> &amp; \"quoted\" 'too'"),
        ("Grüße 日本 😀", "Grüße 日本 😀"),
        ("a\tb\nc", "a\tb\nc"),
        ("carriage\rreturn", "carriage\rreturn"),
        ("nul\0 bell\u{7} not\u{FFFE}\u{FFFF}", "nul\u{FFFD} bell\u{FFFD} not\u{FFFD}\u{FFFD}"),
    ])
    func staysWellFormedWhateverTheTextIs(text: String, title: String) throws {
        let picture = try #require(Samples.code(text: text)?.svg())
        let document = try #require(SVGDocument(picture))
        #expect(document.elements.map(\.name) == ["svg", "title", "rect", "path"])
        #expect(Array(document.text.trimmingLineEnd.unicodeScalars) == Array(title.unicodeScalars))
    }
}

extension String {
    /// The line feed behind the root element is no part of the title.
    fileprivate var trimmingLineEnd: Substring {
        hasSuffix("\n") ? dropLast() : self[...]
    }
}
