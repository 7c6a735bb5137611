/// The inline part of the Markdown that the documentation is written in: code, links, emphasis, autolinks and escapes, each on one
/// line of text. Everything else is text, also HTML.
struct MarkdownText {
    private let bytes: [UInt8]

    init(_ text: some StringProtocol) { bytes = Array(text.utf8) }

    var markup: Markup { Self.markup(bytes[...]) }

    /// Without marks: for headings in lists and for the search.
    var plain: String {
        var text: [UInt8] = []
        Self.pieces(bytes[...]) { piece in
            switch piece {
            case .text(let part), .code(let part), .address(let part): text += part
            case .link(let label, _), .strong(let label), .emphasis(let label):
                text += Array(MarkdownText(String(decoding: label, as: UTF8.self)).plain.utf8)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    private enum Piece {
        case text(ArraySlice<UInt8>), code(ArraySlice<UInt8>), address(ArraySlice<UInt8>)
        case link(label: ArraySlice<UInt8>, target: ArraySlice<UInt8>)
        case strong(ArraySlice<UInt8>), emphasis(ArraySlice<UInt8>)
    }

    private static func markup(_ bytes: ArraySlice<UInt8>) -> Markup {
        var markup: Markup = ""
        pieces(bytes) { piece in
            switch piece {
            case .text(let text): markup = "\(markup)\(String(decoding: text, as: UTF8.self))"
            case .code(let code): markup = "\(markup)<code>\(String(decoding: code, as: UTF8.self))</code>"
            case .strong(let inner): markup = "\(markup)<strong>\(Self.markup(inner))</strong>"
            case .emphasis(let inner): markup = "\(markup)<em>\(Self.markup(inner))</em>"
            case .address(let address):
                let text = String(decoding: address, as: UTF8.self)
                markup = "\(markup)<a href=\"\(text)\">\(text)</a>"
            case .link(let label, let target):
                let address = String(decoding: target, as: UTF8.self)
                // A link to a script would run with the dashboard's session.
                guard isSafe(address) else { return markup = "\(markup)\(Self.markup(label))" }
                markup = "\(markup)<a href=\"\(address)\">\(Self.markup(label))</a>"
            }
        }
        return markup
    }

    private static func isSafe(_ address: String) -> Bool {
        guard let colon = address.firstIndex(of: ":") else { return true }
        let scheme = address[..<colon]
        return ["http", "https", "mailto"].contains(scheme.lowercased()) || scheme.contains { "/#?.".contains($0) }
    }

    private static let marks = Set("\\`[*<!".utf8)

    private static func pieces(_ bytes: ArraySlice<UInt8>, _ use: (Piece) -> Void) {
        var position = bytes.startIndex
        var start = position
        func finish(_ piece: Piece, from begin: Int, to end: Int) {
            if start < begin { use(.text(bytes[start..<begin])) }
            use(piece)
            (position, start) = (end, end)
        }
        while position < bytes.endIndex {
            let byte = bytes[position]
            guard marks.contains(byte) else {
                position += 1
                continue
            }
            switch byte {
            case UInt8(ascii: "\\") where position + 1 < bytes.endIndex && isPunctuation(bytes[position + 1]):
                finish(.text(bytes[(position + 1)...(position + 1)]), from: position, to: position + 2)
            case UInt8(ascii: "`"):
                let mark = bytes[position...].prefix { $0 == byte }.count
                if let end = run(of: byte, count: mark, in: bytes, from: position + mark) {
                    finish(.code(trimmed(bytes[(position + mark)..<end])), from: position, to: end + mark)
                } else {
                    position += mark
                }
            case UInt8(ascii: "["):
                if let (label, target, end) = link(bytes, at: position) {
                    finish(.link(label: label, target: target), from: position, to: end)
                } else {
                    position += 1
                }
            case UInt8(ascii: "*"):
                let mark = min(2, bytes[position...].prefix { $0 == byte }.count)
                let inner = position + mark
                if inner < bytes.endIndex, bytes[inner] != UInt8(ascii: " "),
                    let end = run(of: byte, count: mark, in: bytes, from: inner), end > inner,
                    bytes[end - 1] != UInt8(ascii: " ")
                {
                    let part = bytes[inner..<end]
                    finish(mark == 2 ? .strong(part) : .emphasis(part), from: position, to: end + mark)
                } else {
                    position += mark
                }
            case UInt8(ascii: "<"):
                let rest = bytes[(position + 1)...]
                if rest.starts(with: "http".utf8), let end = rest.firstIndex(of: UInt8(ascii: ">")),
                    !rest[..<end].contains(UInt8(ascii: " "))
                {
                    finish(.address(rest[..<end]), from: position, to: end + 1)
                } else {
                    position += 1
                }
            default: position += 1
            }
        }
        if start < bytes.endIndex { use(.text(bytes[start...])) }
    }

    /// The next run of exactly `count` marks.
    private static func run(of mark: UInt8, count: Int, in bytes: ArraySlice<UInt8>, from start: Int) -> Int? {
        var position = start
        while position < bytes.endIndex, let next = bytes[position...].firstIndex(of: mark) {
            let found = bytes[next...].prefix { $0 == mark }.count
            if found == count { return next }
            position = next + found
        }
        return nil
    }

    private static func link(
        _ bytes: ArraySlice<UInt8>, at start: Int
    ) -> (label: ArraySlice<UInt8>, target: ArraySlice<UInt8>, end: Int)? {
        var depth = 0
        for position in start..<bytes.endIndex {
            switch bytes[position] {
            case UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "]"):
                depth -= 1
                guard depth == 0 else { continue }
                guard position + 1 < bytes.endIndex, bytes[position + 1] == UInt8(ascii: "("),
                    let end = bytes[position...].firstIndex(of: UInt8(ascii: ")"))
                else { return nil }
                return (bytes[(start + 1)..<position], bytes[(position + 2)..<end], end + 1)
            default: break
            }
        }
        return nil
    }

    private static func trimmed(_ code: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let space = UInt8(ascii: " ")
        guard code.count > 2, code.first == space, code.last == space else { return code }
        return code.dropFirst().dropLast()
    }

    private static func isPunctuation(_ byte: UInt8) -> Bool {
        (0x21...0x2F).contains(byte) || (0x3A...0x40).contains(byte) || (0x5B...0x60).contains(byte)
            || (0x7B...0x7E).contains(byte)
    }
}
