/// The brackets, and possibly a string, that are open at an offset of a text that is almost JSON.
struct JSONScan {
    struct Bracket {
        let offset: Int
        let opening: UInt8
        /// The indentation of its line.
        let indentation: Int
        var closing: UInt8 { opening == UInt8(ascii: "{") ? UInt8(ascii: "}") : UInt8(ascii: "]") }
    }

    /// A closing bracket aligned with another opening bracket than its own.
    struct Misplaced {
        let offset: Int
        /// The opening bracket that it closes, and the one it is aligned with.
        let closed: Int
        let meant: Int
    }

    /// From the outermost to the innermost.
    private(set) var open: [Bracket] = []
    /// The offset of an unclosed string.
    private(set) var openString: Int?
    /// Closing brackets that are first on their line and indented less than the line of their opening one.
    private var suspects: [(opening: Int, closing: Int, indentation: Int)] = []

    init(_ bytes: [UInt8], until end: Int) {
        var position = 0
        // The indentation of a line is known from its first visible byte.
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

    /// The first closing bracket, alone on its line, that is indented less than the line of its opening one and as
    /// much as the line of an unclosed one.
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

/// Characters that look like JSON's but are not.
enum JSONQuote {
    /// The length of a typographic quotation mark at the offset; nil if there is none.
    static func typographicWidth(_ bytes: [UInt8], _ location: Int) -> Int? {
        let text = bytes[location...].prefix(3)
        if text.count == 3, text.starts(with: [0xE2, 0x80]), let last = text.last {
            // U+2018 to U+201F, U+2033, U+2039, U+203A.
            return (0x98...0x9F).contains(last) || [0xB3, 0xB9, 0xBA].contains(last) ? 3 : nil
        }
        if text.starts(with: [0xC2, 0xAB]) || text.starts(with: [0xC2, 0xBB]) { return 2 }
        return text.starts(with: [0xEF, 0xBC, 0x82]) ? 3 : nil
    }

    /// The length of a space not allowed in JSON, or of a zero-width character, at the offset.
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

/// One reason why a text is not JSON, with a suggested fix.
struct JSONFault: Hashable {
    let rule: LintRule
    /// The byte offset.
    let offset: Int
    /// One sentence on one line, without a full stop.
    let sentence: String
    let mend: String

    init(_ rule: LintRule, at offset: Int, _ sentence: String, mend: String) {
        self.rule = rule
        self.offset = offset
        self.sentence = sentence
        self.mend = mend
    }

    /// Detects bytes of other formats; nil if they may be JSON.
    static func ofOtherFormat(_ file: [UInt8]) -> JSONFault? {
        let visible = file.first { !$0.isJSONSpace }
        if visible == nil || (file.count == 3 && file == [0xEF, 0xBB, 0xBF]) {
            return JSONFault(.jsonEmpty, at: 0, "the file is empty", mend: "Write the file, or take it away.")
        }
        if file.starts(with: [0x1F, 0x8B]) {
            return JSONFault(
                .jsonCompressed, at: 0, "the file is compressed with gzip",
                mend: "Serve the plain text, or say Content-Encoding: gzip where you send it so.")
        }
        if file.first == 0x30, (file.dropFirst().first ?? 0) >= 0x80, isSignedData(file) {
            return JSONFault(
                .fileSigned, at: 0, "the file is signed (CMS), which only iOS 8 needed; what it holds is not looked at",
                mend: "Serve the plain JSON: iOS 9 and later need no signature.")
        }
        if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) || file.prefix(4).contains(0) {
            return JSONFault(
                .jsonUTF16, at: 0, "the file is written in UTF-16 or UTF-32",
                mend: "Save it as UTF-8 without a byte order mark.")
        }
        if visible == UInt8(ascii: "<") {
            return JSONFault(
                .jsonHTML, at: file.firstIndex(of: UInt8(ascii: "<")) ?? 0,
                "this is a page of HTML or XML, not JSON: often the error page of a server, or a sign-in page",
                mend: "Make the server answer with the file itself, for everybody and without a redirect.")
        }
        return nil
    }

    /// Whether the object identifier of signed data (1.2.840.113549.1.7.2) occurs near the start.
    private static func isSignedData(_ file: [UInt8]) -> Bool {
        let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        let head = Array(file.prefix(32))
        guard head.count >= identifier.count else { return false }
        return (0...(head.count - identifier.count)).contains {
            head[$0..<($0 + identifier.count)].elementsEqual(identifier)
        }
    }
}
