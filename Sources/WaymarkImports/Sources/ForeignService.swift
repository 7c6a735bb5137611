import WaymarkLinks

/// The services whose links can be imported; the name is what `--from` takes.
package enum ForeignService: String, CaseIterable, Sendable {
    case fdl, branch, bitly, rebrandly, shortio, dub, shlink, kutt, yourls, polr, csv, waymark

    /// Whether its links can be read from its interface.
    package var hasAPI: Bool {
        switch self {
        case .branch, .bitly, .rebrandly, .shortio, .dub, .shlink, .kutt, .yourls: true
        case .fdl, .polr, .csv, .waymark: false
        }
    }

    /// Whether its API lists links; Branch's only gives the link behind a URL.
    package var hasListAPI: Bool { hasAPI && self != .branch }

    package static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

    var table: ServiceTable {
        switch self {
        case .fdl: .firebase
        case .branch: .branch
        case .bitly: .bitly
        case .rebrandly: .rebrandly
        case .shortio: .shortIO
        case .dub: .dub
        case .shlink: .shlink
        case .kutt: .kutt
        case .yourls: .yourls
        case .polr: .polr
        case .csv: .csv
        case .waymark: .waymark
        }
    }

    /// Whether it looks links up without regard to case, as its makers set it.
    var ignoresCase: Bool { self == .dub || self == .shortio || self == .polr }

    /// The end of the name of the table in a dump of its database; nil where it has none that people hold.
    var dumpTable: String? {
        switch self {
        case .kutt, .polr: "links"
        case .yourls: "url"
        default: nil
        }
    }

    /// Where a dump has the domains of its links.
    var dumpLookup: SQLDumpReader.Lookup? {
        guard self == .kutt else { return nil }
        return .init(table: "domains", key: "id", value: "address", column: "domain_id", heading: "domain")
    }
}

/// A file with links, opened when it is read.
package struct ForeignFile {
    package var name: String
    package var open: () throws -> PieceReader
    /// Reads it from its beginning while it is open; nil if it can be read once only.
    var reopen: (() throws -> PieceReader)?

    package init(
        name: String, reopen: (() throws -> PieceReader)? = nil, open: @escaping () throws -> PieceReader
    ) {
        self.name = name
        self.reopen = reopen
        self.open = open
    }
}

extension ForeignService {
    private enum Form { case table, dump, jsonLines, urls }

    /// The links of files that the service, or its database, wrote.
    ///
    /// - Parameter branchLinks: Gives the link behind a URL, for lists of Branch's.
    /// - Throws: `SourceError`.
    package func links(
        in files: [ForeignFile], map: ColumnMap = ColumnMap(), time: ForeignTime = ForeignTime(),
        branchLinks: BranchLookup? = nil
    ) async throws -> any LinkSource {
        guard let first = files.first else { throw SourceError("give a file") }
        // Before anything is imported, and the first piece is not lost where it can't be read again.
        let start = try await Start(first)
        let opened = [start.file] + files.dropFirst()
        switch start.form(self) {
        case .jsonLines:
            let isBranch = self == .branch
            return JSONLinesSource(opened.map { ($0.name, $0.open) }) { line in
                isBranch ? JSONLinesSource.branch(line, time) : JSONLinesSource.waymark(line, time)
            }
        case .urls:
            guard let branchLinks else {
                throw SourceError(
                    "\(first.name): it is a list of URLs, for which Branch has to be asked; give --api-key")
            }
            return BranchListSource(opened, branchLinks)
        case .dump:
            let (table, lookup) = (dumpTable ?? "", dumpLookup)
            return TableSource(
                opened.map { file in
                    SourceFile(name: file.name) {
                        SQLDumpReader(table: table, lookup: lookup, try file.open(), reopen: file.reopen)
                    }
                }, self.table, map: map, time: time)
        case .table:
            return TableSource(
                opened.map { SourceFile.csv($0.name, $0.open, reopen: $0.reopen) }, table, map: map, time: time)
        }
    }

    /// The first piece of a file.
    private struct Start {
        let file: ForeignFile
        private let head: [UInt8]

        /// - Throws: `SourceError` for a file that is empty or no text.
        init(_ file: ForeignFile) async throws {
            let read = try file.open()
            var pieces: [[UInt8]] = []
            while pieces.reduce(0, { $0 + $1.count }) < FileForm.headLength {
                let piece = try await read()
                guard !piece.isEmpty else { break }
                pieces.append(piece)
            }
            guard !pieces.isEmpty else { throw SourceError("\(file.name): it is empty") }
            head = Array(pieces.joined().prefix(FileForm.headLength))
            if let problem = FileForm.problem(of: head) { throw SourceError("\(file.name): \(problem)") }
            self.file = ForeignFile(name: file.name, reopen: file.reopen) {
                var first = pieces[...]
                return {
                    if let piece = first.popFirst() { return piece }
                    return try await read()
                }
            }
        }

        func form(_ service: ForeignService) -> Form {
            // The letters of UTF-16, too.
            var text = head.filter { $0 != 0 && $0 < 0x80 }[...]
            text = text.drop { $0 == 0x20 || $0 == 0x0A || $0 == 0x0D || $0 == 0x09 }
            if text.first == UInt8(ascii: "{"), service == .branch || service == .waymark { return .jsonLines }
            if service == .branch, text.starts(with: "http".utf8) { return .urls }
            guard service.dumpTable != nil else { return .table }
            return FileForm.isSQL(text) ? .dump : .table
        }
    }
}
