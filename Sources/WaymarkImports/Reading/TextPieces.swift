/// Reads the next piece of a file; empty at its end. All reading of a file passes through it, so it is the place to suspend,
/// and to throw where the import was stopped.
package typealias PieceReader = () async throws -> [UInt8]

/// The pieces of a text file as UTF-8, whatever spreadsheets wrote: a byte order mark is dropped, UTF-16 is converted, and so is
/// Windows-1252 where nothing in the file says UTF-8. Invalid bytes are passed on; the decoder of a text refuses them.
struct TextPieces {
    /// Bytes at the beginning in which a declaration of the encoding is looked for.
    static let headLength = 1 << 13

    private let read: PieceReader
    /// Reads the file from its beginning, to look at all of it; nil if it can be read once only.
    private let reopen: (() throws -> PieceReader)?
    private let declared: ([UInt8]) throws -> TextEncoding?
    private var hasStarted = false
    /// Nil: nothing but ASCII so far.
    private var encoding: TextEncoding?
    /// Bytes at the end of a piece that are a part of a character.
    private var rest: [UInt8] = []
    /// How the encoding was found, where nothing in the file says it.
    private(set) var note: String?

    /// - Parameter declared: The encoding that a text without a byte order mark declares in its first bytes.
    init(
        _ read: @escaping PieceReader, reopen: (() throws -> PieceReader)? = nil,
        declared: @escaping ([UInt8]) throws -> TextEncoding? = { _ in nil }
    ) {
        self.read = read
        self.reopen = reopen
        self.declared = declared
    }

    /// Empty at the end.
    mutating func next() async throws -> [UInt8] {
        var piece = hasStarted ? try await read() : try await start()
        while true {
            let isEnd = piece.isEmpty
            let text = try await converted(piece)
            // An empty piece would be the end.
            if isEnd || !text.isEmpty { return text }
            piece = try await read()
        }
    }

    private mutating func start() async throws -> [UInt8] {
        hasStarted = true
        var head: [UInt8] = []
        while head.count < Self.headLength {
            let piece = try await read()
            guard !piece.isEmpty else { break }
            head += piece
        }
        if let (marked, length) = TextEncoding.marked(head) {
            encoding = marked
            return Array(head.dropFirst(length))
        }
        encoding = try declared(head)
        return head
    }

    private mutating func converted(_ piece: [UInt8]) async throws -> [UInt8] {
        var piece = piece
        if encoding == nil {
            guard let first = piece.firstIndex(where: { $0 >= 0x80 }) else { return piece }
            // The whole character, however small the pieces are.
            while piece.count < first + 4 {
                let more = try await read()
                guard !more.isEmpty else { break }
                piece += more
            }
            try await findEncoding(piece[first...])
        }
        switch encoding {
        case .windows1252?, .latin1?:
            var text: [UInt8] = []
            text.reserveCapacity(piece.count + piece.count / 8)
            for byte in piece { encoding?.append(byte, to: &text) }
            return text
        case .utf16(let isLittleEndian)?: return utf16(piece, isLittleEndian)
        case .utf8?, nil: return piece
        }
    }

    /// By the first bytes that are no ASCII and, where these are no UTF-8, by the whole file.
    private mutating func findEncoding(_ bytes: ArraySlice<UInt8>) async throws {
        var finder = UTF8Finder()
        encoding = .utf8
        for (index, byte) in bytes.prefix(4).enumerated() {
            if finder.take(byte) { return }
            if index == 0, !(0xC2...0xF4).contains(byte) { break }
        }
        guard let reader = try reopen?() else { return }
        finder = UTF8Finder()
        while true {
            let piece = try await reader()
            guard !piece.isEmpty else { break }
            for byte in piece where finder.take(byte) { return }
        }
        encoding = .windows1252
        note = "the file was read as Windows-1252, because nothing in it is UTF-8; check that its letters are right"
    }

    /// The characters that are whole; the bytes of the others wait in `rest`. Halves of characters become bytes that no text has.
    private mutating func utf16(_ piece: [UInt8], _ isLittleEndian: Bool) -> [UInt8] {
        let isEnd = piece.isEmpty
        let bytes = rest + piece
        rest = []
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        func unit(_ index: Int) -> UInt32 {
            let (first, second) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
            return isLittleEndian ? second << 8 | first : first << 8 | second
        }
        var index = 0
        while index + 1 < bytes.count {
            var value = unit(index)
            if (0xD800...0xDBFF).contains(value) {
                if index + 3 >= bytes.count, !isEnd { break }
                if index + 3 < bytes.count, case let low = unit(index + 2), (0xDC00...0xDFFF).contains(low) {
                    value = 0x1_0000 + (value - 0xD800) << 10 + (low - 0xDC00)
                    index += 2
                }
            }
            index += 2
            if let scalar = Unicode.Scalar(value) { text += Array(UTF8.encode(scalar)!) } else { text.append(0xFF) }
        }
        if isEnd { if index < bytes.count { text.append(0xFF) } } else { rest = Array(bytes[index...]) }
        return text
    }
}
