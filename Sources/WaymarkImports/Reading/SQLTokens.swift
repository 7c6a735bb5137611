/// The tokens of the SQL statements in a dump. It holds one piece of the file and one token, whatever a statement's length.
struct SQLTokens {
    enum Token: Equatable {
        /// A bare word or number, whose bytes are in `bytes`.
        case word
        /// A text or name in quotes, whose bytes are in `bytes`, without quotes and escapes.
        case text
        /// One of `(`, `)`, `,` and `;`.
        case sign(UInt8)

        static let open = Token.sign(UInt8(ascii: "("))
        static let close = Token.sign(UInt8(ascii: ")"))
        static let comma = Token.sign(UInt8(ascii: ","))
        static let semicolon = Token.sign(UInt8(ascii: ";"))
    }

    private enum State {
        case between, word, dash, slash, lineComment, comment, star
        /// Behind an `E`, which makes backslashes of PostgreSQL's text escapes.
        case escapePrefix
        case quoted(UInt8)
        case escape(UInt8)
        case closed(UInt8)
        /// Within `$tag$`, and behind it with so many of its bytes found again.
        case dollarTag
        case dollarQuoted(Int)
    }

    /// Bytes of a dollar quote's tag; PostgreSQL's names have 63.
    private static let longestTag = 65

    private var pieces: TextPieces
    private var piece: [UInt8] = []
    private var position = 0
    /// Of the last token.
    private(set) var bytes: [UInt8] = []
    private(set) var dialect: SQLDialect?
    private var hasEscapes = false
    private var tag: [UInt8] = []

    /// How the encoding was found, where the dump does not declare it.
    var note: String? { pieces.note }

    init(_ read: @escaping PieceReader, reopen: (() throws -> PieceReader)? = nil) {
        pieces = TextPieces(read, reopen: reopen, declared: SQLDialect.encoding)
    }

    /// The last token as a name or keyword.
    var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Whether the last token is the keyword, whose letters are capitals.
    func isKeyword(_ keyword: String) -> Bool {
        bytes.count == keyword.utf8.count && zip(bytes, keyword.utf8).allSatisfy { $0 & 0xDF == $1 }
    }

    /// Reads so much that the dialect is known.
    private mutating func start() async throws {
        while piece.count < TextPieces.headLength {
            let more = try await pieces.next()
            guard !more.isEmpty else { break }
            piece += more
        }
        dialect = SQLDialect(head: piece.prefix(TextPieces.headLength))
    }

    mutating func readPiece() async throws -> Bool {
        piece = try await pieces.next()
        position = 0
        return !piece.isEmpty
    }

    /// The next byte of the piece; nil at its end.
    mutating func takeByte() -> UInt8? {
        guard position < piece.count else { return nil }
        defer { position += 1 }
        return piece[position]
    }

    /// Passes lines until one begins with one of the keywords, which are letters; false at the end. What other lines say has
    /// rules of its own for quotes, and is not looked at.
    mutating func findLine(beginningWith keywords: [String]) async throws -> Bool {
        if dialect == nil { try await start() }
        bytes.removeAll(keepingCapacity: true)
        var isPassed = false
        while true {
            while position < piece.count {
                let byte = piece[position]
                if byte == 0x0A {
                    isPassed = false
                    bytes.removeAll(keepingCapacity: true)
                } else if !isPassed {
                    if bytes.count < 10, (0x41...0x5A).contains(byte & 0xDF) {
                        bytes.append(byte)
                    } else if !bytes.isEmpty || !Self.isSpace(byte) {
                        if keywords.contains(where: { isKeyword($0) }) { return true }
                        isPassed = true
                    }
                }
                position += 1
            }
            guard try await readPiece() else { return false }
        }
    }

    /// The next token; nil at the end.
    ///
    /// - Parameter isKept: Whether `bytes` is wanted. A token that is not may have any length.
    /// - Throws: `SourceError` for a quote or a comment that is not closed.
    mutating func next(isKept: Bool = true) async throws -> Token? {
        bytes.removeAll(keepingCapacity: true)
        var state = State.between
        while true {
            while position < piece.count {
                if let token = take(piece[position], &state, isKept) { return token }
            }
            guard bytes.count <= CSVReader.longestRecord else {
                throw SourceError("a value is longer than \(CSVReader.longestRecord) bytes; a quote is not closed")
            }
            guard try await readPiece() else { return try last(state) }
        }
    }

    /// Passes the rest of a statement.
    ///
    /// - Throws: `SourceError` if the file ends within it.
    mutating func skipStatement(from token: Token?) async throws {
        var token = token
        while token != .semicolon {
            guard token != nil else { throw Self.cut("a statement") }
            token = try await next(isKept: false)
        }
    }

    static func cut(_ part: String) -> SourceError {
        SourceError("the file ends within \(part); it is not complete: make the dump again")
    }

    /// Takes a byte, or leaves it where it ends a token.
    private mutating func take(_ byte: UInt8, _ state: inout State, _ isKept: Bool) -> Token? {
        switch state {
        case .word:
            guard !Self.isSpace(byte), !Self.isQuote(byte), !Self.isSign(byte) else { return .word }
        case .closed(let quote):
            guard byte == quote else { return .text }
            // Two stand for one.
            state = .quoted(quote)
            if isKept { bytes.append(quote) }
            position += 1
            return nil
        case .dash:
            guard byte == UInt8(ascii: "-") else { return startWord(UInt8(ascii: "-"), &state, isKept) }
            state = .lineComment
            position += 1
            return nil
        case .slash:
            guard byte == UInt8(ascii: "*") else { return startWord(UInt8(ascii: "/"), &state, isKept) }
            state = .comment
            position += 1
            return nil
        case .escapePrefix:
            guard byte == 0x27 else {
                state = .word
                return nil
            }
            bytes.removeAll(keepingCapacity: true)
            hasEscapes = true
            state = .quoted(byte)
            position += 1
            return nil
        case .dollarTag:
            if byte == UInt8(ascii: "$") {
                state = .dollarQuoted(0)
            } else if Self.isPartOfName(byte), tag.count < Self.longestTag {
                tag.append(byte)
                position += 1
                return nil
            } else {
                state = .word
                if isKept { bytes += tag }
                return nil
            }
            tag.append(byte)
            position += 1
            return nil
        case .between, .lineComment, .comment, .star, .quoted, .escape, .dollarQuoted: break
        }
        position += 1
        switch state {
        case .between:
            if Self.isSign(byte) { return .sign(byte) }
            switch byte {
            case 0x27, 0x22, 0x60:
                hasEscapes = dialect == .mysql && byte != 0x60
                state = .quoted(byte)
            case UInt8(ascii: "-"): state = .dash
            case UInt8(ascii: "/"): state = .slash
            case UInt8(ascii: "#") where dialect == .mysql: state = .lineComment
            case UInt8(ascii: "$") where dialect == .postgresql:
                state = .dollarTag
                tag = [byte]
            case _ where Self.isSpace(byte): break
            default:
                state = dialect == .postgresql && byte & 0xDF == UInt8(ascii: "E") ? .escapePrefix : .word
                if isKept { bytes.append(byte) }
            }
        case .lineComment: if byte == 0x0A { state = .between }
        case .comment: if byte == UInt8(ascii: "*") { state = .star }
        case .star:
            if byte == UInt8(ascii: "/") { state = .between } else if byte != UInt8(ascii: "*") { state = .comment }
        case .quoted(let quote) where byte == quote: state = .closed(quote)
        case .quoted(let quote):
            if byte == UInt8(ascii: "\\"), hasEscapes {
                state = .escape(quote)
            } else if isKept {
                bytes.append(byte)
            }
        case .escape(let quote):
            state = .quoted(quote)
            if isKept { bytes.append(Self.escaped(byte)) }
        case .word: if isKept { bytes.append(byte) }
        case .dollarQuoted(let matched):
            if isKept { bytes.append(byte) }
            // The tag has a dollar sign at its ends only.
            guard byte == tag[matched] else {
                state = .dollarQuoted(byte == UInt8(ascii: "$") ? 1 : 0)
                break
            }
            state = .dollarQuoted(matched + 1)
            guard matched + 1 == tag.count else { break }
            if isKept { bytes.removeLast(tag.count) }
            return .text
        case .closed, .dash, .slash, .escapePrefix, .dollarTag: break
        }
        return nil
    }

    private mutating func startWord(_ byte: UInt8, _ state: inout State, _ isKept: Bool) -> Token? {
        state = .word
        if isKept { bytes.append(byte) }
        return nil
    }

    /// The token that the file ends with.
    private func last(_ state: State) throws -> Token? {
        switch state {
        case .between, .lineComment, .dash, .slash: return nil
        case .word, .escapePrefix, .dollarTag: return .word
        case .closed: return .text
        case .comment, .star: throw Self.cut("a comment")
        case .quoted, .escape, .dollarQuoted: throw Self.cut("quotes")
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
    private static func isPartOfName(_ byte: UInt8) -> Bool {
        byte >= 0x80 || byte == UInt8(ascii: "_") || (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
    }
    private static func isQuote(_ byte: UInt8) -> Bool { byte == 0x27 || byte == 0x22 || byte == 0x60 }
    private static func isSign(_ byte: UInt8) -> Bool {
        byte == 0x28 || byte == 0x29 || byte == 0x2C || byte == 0x3B
    }

    private static func escaped(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "0"): 0x00
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "Z"): 0x1A
        default: byte
        }
    }
}
