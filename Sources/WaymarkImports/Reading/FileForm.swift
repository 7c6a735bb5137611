/// What a file is, by its first bytes.
enum FileForm {
    /// Those that are looked at.
    static let headLength = 512

    /// Why a file can't be read, and what to do; nil for a text.
    static func problem(of head: [UInt8]) -> String? {
        forms.first { head.starts(with: $0.start) }?.problem
    }

    private static let forms: [(start: [UInt8], problem: String)] = [
        (
            Array("PGDMP".utf8),
            "it is a dump in PostgreSQL's custom format; make it readable with pg_restore --file=links.sql FILE"
        ),
        (
            Array("SQLite format 3".utf8),
            "it is a SQLite database; make it readable with sqlite3 FILE .dump > links.sql"
        ),
        ([0x1F, 0x8B], "it is compressed; unpack it with gunzip FILE"),
        (Array("BZh".utf8), "it is compressed; unpack it with bunzip2 FILE"),
        ([0xFD] + Array("7zXZ".utf8), "it is compressed; unpack it with unxz FILE"),
        ([0x28, 0xB5, 0x2F, 0xFD], "it is compressed; unpack it with unzstd FILE"),
        ([0x50, 0x4B, 0x03, 0x04], "it is a ZIP archive or a spreadsheet; unpack it, or save it as CSV"),
    ]

    /// Whether a text begins as SQL does. A heading that begins with the same letters goes on with others.
    static func isSQL(_ text: ArraySlice<UInt8>) -> Bool {
        if ["--", "/*", "\\restrict"].contains(where: { text.starts(with: $0.utf8) }) { return true }
        let word = text.prefix { (0x41...0x5A).contains($0 & 0xDF) }
        let behind = text.dropFirst(word.count).first
        guard word.count <= 8, behind == 0x20 || behind == 0x0A || behind == 0x0D || behind == 0x3B else {
            return false
        }
        return [
            "INSERT", "REPLACE", "CREATE", "SET", "DROP", "LOCK", "BEGIN", "START", "PRAGMA", "COPY", "ALTER", "USE",
        ].contains(String(decoding: word, as: UTF8.self).uppercased())
    }
}
