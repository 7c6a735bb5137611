import Testing

@testable import WaymarkSite

/// Which SVGs may be logos.
@Suite struct PlainSVGTests {
    private static let root = #"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8">"#

    private static func problem(_ text: String) -> String? {
        do throws(PlainSVG.Failure) {
            try PlainSVG.check(Array(text.utf8))
            return nil
        } catch {
            return error.problem
        }
    }

    @Test(arguments: [
        root + "</svg>",
        "\u{FEFF}<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- a -->\(root)<path d='M0 0h8v8z'/></svg>\n",
        root + ##"<defs><linearGradient id="a"><stop offset="0"/></linearGradient></defs>"##
            + ##"<rect fill="url(#a)" style="fill: url('#a')" width="8" height="8"/></svg>"##,
        root + ##"<style>.a { fill: #fff; } g &gt; path { stroke: url(#a) }</style><use href="#b"/></svg>"##,
        root + "<title>A &amp; B &#x263A;</title><text font-family=\"serif\">1 &lt; 2</text></svg>",
        #"<svg xmlns="http://www.w3.org/2000/svg"/>"#,
    ])
    func drawingsAreAccepted(text: String) { #expect(Self.problem(text) == nil) }

    @Test(arguments: [
        "", "text", "<svg", "<svg>", "<svg></svg>", root, root + "</g></svg>", root + "</svg>" + root + "</svg>",
        root + "<g></svg></g>", root + "</svg>x", #"<g xmlns="http://www.w3.org/2000/svg"/>"#,
        #"<svg xmlns="http://www.w3.org/1999/xhtml"/>"#, root + "<script>alert(1)</script></svg>",
        root + "<SCRIPT/></svg>", root + #"<s:script xmlns:s="http://www.w3.org/2000/svg"/></svg>"#,
        root + "<foreignObject/></svg>", root + #"<image href="https://a.example/x.png"/></svg>"#,
        root + #"<a href="https://a.example/"/></svg>"#, root + #"<use href="https://a.example/x.svg#a"/></svg>"#,
        root + #"<use xlink:href="data:image/svg+xml,x"/></svg>"#, root + #"<use href=" #a"/></svg>"#,
        root + #"<set attributeName="href" to="javascript:alert(1)"/></svg>"#, root + "<animate/></svg>",
        root + #"<g onload="alert(1)"/></svg>"#, root + #"<g ONCLICK="a"/></svg>"#, root + #"<g x:onload="a"/></svg>"#,
        root + #"<rect fill="url(https://a.example/x)"/></svg>"#,
        root + #"<rect fill="url&#40;https://a.example/x)"/></svg>"#,
        root + #"<rect style="fill:u\72l(//a.example/x)"/></svg>"#,
        root + #"<rect style="fill:url( 'https://a.example/x')"/></svg>"#,
        root + "<style>@import 'https://a.example/x.css';</style></svg>",
        root + "<style>@im<!-- -->port 'x';</style></svg>", root + "<style>a<g/>b</style></svg>",
        root + "<style>@im/**/port 'x'</style></svg>", root + "<style><![CDATA[a]]></style></svg>",
        root + "<style>a{background:image-set('x' 1x)}</style></svg>",
        "<!DOCTYPE svg>\(root)</svg>", #"<!DOCTYPE svg [<!ENTITY a "b">]>"# + root + "&a;</svg>", root + "&a;</svg>",
        root + "&#0;</svg>", root + "& </svg>", "<?xml-stylesheet href=\"a\"?>\(root)</svg>",
        "<?xml version=\"1.0\" encoding=\"UTF-16\"?>\(root)</svg>", root + "<g a=b/></svg>",
        root + "<g a=\"1\" a=\"2\"/></svg>", root + "<g a=\"<\"/></svg>", root + "<g a=\"1/></svg>",
        root + #"<g xml:base="https://a.example/"/></svg>"#, root + #"<g xmlns="http://www.w3.org/1999/xhtml"/></svg>"#,
        root + String(repeating: "<g>", count: 100) + String(repeating: "</g>", count: 100) + "</svg>",
        root + String(repeating: "<use href='#a'/>", count: 17) + "</svg>",
        "<html xmlns=\"http://www.w3.org/1999/xhtml\"/>", "<!-- a",
    ])
    func everythingElseIsRefused(text: String) { #expect(Self.problem(text) != nil, "\(text)") }

    @Test func bytesThatAreNoTextAreRefused() {
        #expect(throws: PlainSVG.Failure.self) { try PlainSVG.check([0x3C, 0xFF]) }
    }
}
