/// HTML that is safe to send: literals are inserted unchanged, interpolated values are escaped.
///
/// `"<p>\(name)</p>"` escapes `name`; `"<main>\(inner)</main>"` with another `Markup` does not.
struct Markup: Sendable, Equatable, ExpressibleByStringInterpolation {
    private(set) var text: String

    init(stringLiteral text: String) { self.text = text }

    init(stringInterpolation: Interpolation) { text = stringInterpolation.text }

    /// A style sheet, which must not be escaped in HTML. The only external values in it are colours.
    init(css: String) { text = css }

    /// A picture that this program drew.
    init(svg: [UInt8]) { text = String(decoding: svg, as: UTF8.self) }

    var bytes: [UInt8] { Array(text.utf8) }

    struct Interpolation: StringInterpolationProtocol {
        var text = ""

        init(literalCapacity: Int, interpolationCount: Int) { text.reserveCapacity(literalCapacity) }

        mutating func appendLiteral(_ literal: String) { text += literal }

        mutating func appendInterpolation(_ value: String) { text += Markup.escaped(value) }

        mutating func appendInterpolation(_ markup: Markup) { text += markup.text }
    }

    /// Escapes text for content and for attribute values in either kind of quotation marks. Control characters, which
    /// HTML can't represent, become spaces.
    static func escaped(_ value: String) -> String {
        let utf8 = value.utf8
        let given = utf8.span
        var bytes: [UInt8] = []
        bytes.reserveCapacity(given.count + 32)
        var index = 0
        while index < given.count {
            let byte = given[index]
            index += 1
            switch byte {
            case UInt8(ascii: "&"): bytes.append(contentsOf: "&amp;".utf8)
            case UInt8(ascii: "<"): bytes.append(contentsOf: "&lt;".utf8)
            case UInt8(ascii: ">"): bytes.append(contentsOf: "&gt;".utf8)
            case UInt8(ascii: "\""): bytes.append(contentsOf: "&quot;".utf8)
            case UInt8(ascii: "'"): bytes.append(contentsOf: "&#39;".utf8)
            case 0..<0x20, 0x7F: bytes.append(UInt8(ascii: " "))
            // U+0080 to U+009F, in two bytes.
            case 0xC2 where index < given.count && given[index] < 0xA0:
                bytes.append(UInt8(ascii: " "))
                index += 1
            default: bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
