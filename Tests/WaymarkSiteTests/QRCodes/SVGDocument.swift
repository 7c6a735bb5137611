import Foundation

#if canImport(FoundationXML)
    import FoundationXML
#endif

/// An SVG as an XML parser reads it, with its elements in the order of the document.
final class SVGDocument: NSObject, XMLParserDelegate {
    struct Element {
        let name: String
        let attributes: [String: String]
    }

    private(set) var elements: [Element] = []
    private(set) var text = ""

    /// Nil where the bytes are not well-formed XML.
    init?(_ bytes: [UInt8]) {
        super.init()
        let parser = XMLParser(data: Data(bytes))
        parser.delegate = self
        guard parser.parse() else { return nil }
    }

    func parser(
        _ parser: XMLParser, didStartElement name: String, namespaceURI: String?, qualifiedName: String?,
        attributes: [String: String]
    ) {
        elements.append(Element(name: name, attributes: attributes))
    }

    func parser(_ parser: XMLParser, foundCharacters characters: String) {
        text += characters
    }

    func attribute(_ attribute: String, of element: String) -> String? {
        elements.first { $0.name == element }?.attributes[attribute]
    }

    /// The squares of one unit that the path covers, as `[x, y]`; nil where it is made of anything but rectangles of the
    /// form `M x y h width v1 h-width z`, or covers a square twice.
    var coveredSquares: Set<[Int]>? {
        guard let path = attribute("d", of: "path") else { return nil }
        let rectangle = /M(\d+) (\d+)h(\d+)v1h-(\d+)z/
        var squares: Set<[Int]> = []
        var rest = path[...]
        while !rest.isEmpty {
            guard let match = rest.prefixMatch(of: rectangle), match.3 == match.4,
                let x = Int(match.1), let y = Int(match.2), let width = Int(match.3)
            else { return nil }
            for column in x..<x + width {
                guard squares.insert([column, y]).inserted else { return nil }
            }
            rest = rest[match.range.upperBound...]
        }
        return squares
    }
}
