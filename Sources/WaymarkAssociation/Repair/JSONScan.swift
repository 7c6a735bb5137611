/// What is open at a place of a text that is nearly JSON: brackets, and perhaps a string.
struct JSONScan {
    struct Bracket {
        let offset: Int
        let opening: UInt8
        /// Of the line that it stands on.
        let indentation: Int
        var closing: UInt8 { opening == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    }

    /// A closing bracket that stands under another opening one than its own.
    struct Misplaced {
        let offset: Int
        /// The opening bracket that it closes, and the one that it stands under.
        let closed: Int
        let meant: Int
    }

    /// From the outside in.
    private(set) var open: [Bracket] = []
    /// Where the string begins that is not closed.
    private(set) var openString: Int?
    /// Closing brackets that stand first on their line and further out than the line of their opening one.
    private var suspects: [(opening: Int, closing: Int, indentation: Int)] = []

    init(_ bytes: [UInt8], until end: Int) {
        var position = 0
        // The indentation of a line is known from its first visible byte on.
        var lineStart = 0
        var firstVisible: Int?
        while position < min(end, bytes.count) {
            let byte = bytes[position]
            if firstVisible == nil, !byte.isJSONSpace { firstVisible = position }
            if byte == UInt8(ascii: "\n") { (lineStart, firstVisible) = (position + 1, nil) }
            if openString != nil {
                if byte == UInt8(ascii: "\\") {
                    position += 1
                } else if byte == UInt8(ascii: "\"") {
                    openString = nil
                }
            } else {
                let indentation = (firstVisible ?? position) - lineStart
                switch byte {
                case UInt8(ascii: "\""): openString = position
                case UInt8(ascii: "{"), UInt8(ascii: "["):
                    open.append(Bracket(offset: position, opening: byte, indentation: indentation))
                case UInt8(ascii: "}"), UInt8(ascii: "]"):
                    guard let last = open.popLast(), firstVisible == position, indentation < last.indentation else {
                        break
                    }
                    suspects.append((last.offset, position, indentation))
                default: break
                }
            }
            position += 1
        }
    }

    /// The first closing bracket, alone on its line, that is indented less than the line of its opening one and as much
    /// as the line of one that is never closed.
    func misplaced() -> Misplaced? {
        for suspect in suspects {
            let meant = open.prefix(AssociationText.depthLimit).last { bracket in
                bracket.offset < suspect.opening && bracket.indentation == suspect.indentation
            }
            if let meant { return Misplaced(offset: suspect.closing, closed: suspect.opening, meant: meant.offset) }
        }
        return nil
    }
}

/// Characters that look like what JSON wants but are not.
enum JSONQuote {
    /// The length of the typographic quotation mark that stands there; nil where none does.
    static func typographicWidth(_ bytes: [UInt8], _ location: Int) -> Int? {
        let text = bytes[location...].prefix(3)
        if text.count == 3, text.starts(with: [0xE2, 0x80]), let last = text.last {
            // U+2018 to U+201F, U+2033, U+2039, U+203A.
            return (0x98...0x9F).contains(last) || [0xB3, 0xB9, 0xBA].contains(last) ? 3 : nil
        }
        if text.starts(with: [0xC2, 0xAB]) || text.starts(with: [0xC2, 0xBB]) { return 2 }
        return text.starts(with: [0xEF, 0xBC, 0x82]) ? 3 : nil
    }

    /// The length of the space that is none of JSON's, or of the character without width, that stands there.
    static func invisibleWidth(_ bytes: [UInt8], _ location: Int) -> Int? {
        let text = bytes[location...].prefix(3)
        if text.starts(with: [0xC2, 0xA0]) { return 2 }
        guard text.count == 3, let last = text.last else { return nil }
        if text.starts(with: [0xEF, 0xBB, 0xBF]) || text.starts(with: [0xE3, 0x80, 0x80]) { return 3 }
        return text.starts(with: [0xE2, 0x80]) && ((0x80...0x8F).contains(last) || [0xA8, 0xA9, 0xAF].contains(last))
            ? 3 : nil
    }
}

extension UInt8 {
    var isJSONSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}
