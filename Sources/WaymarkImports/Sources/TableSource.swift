import WaymarkAPI
import WaymarkLinks

/// Rows of cells under headings: a CSV file, a table of a database dump or of a database.
package protocol CellReader: AnyObject {
    /// Nil where there is nothing at all.
    func headings() async throws -> [String]?
    func next() async throws -> CSVReader.Record?
    /// What has to be said about the file: how its encoding was found where nothing in it says it, tables that were not read.
    var note: String? { get }
    /// Headings of columns that the reader has used itself, for another one.
    var usedHeadings: [String] { get }
}

extension CellReader {
    package var usedHeadings: [String] { [] }
}

extension CSVReader: CellReader {
    package func headings() async throws -> [String]? {
        // As people type them.
        try await next()?.cells.map { $0.trimmed }
    }
}

/// A file by its name, opened when it is its turn.
package struct SourceFile {
    package var name: String
    var open: () throws -> any CellReader

    package init(name: String, open: @escaping () throws -> any CellReader) {
        self.name = name
        self.open = open
    }

    package static func csv(
        _ name: String, _ read: @escaping () throws -> PieceReader, reopen: (() throws -> PieceReader)? = nil
    ) -> SourceFile {
        SourceFile(name: name) { CSVReader(try read(), reopen: reopen) }
    }
}

/// The links of tables, one file after the other; rows are numbered over all of them.
package final class TableSource: LinkSource {
    /// Rows that are given at once, and bytes of their records: together they are read before the first is checked.
    static let batch = 1_000
    static let batchBytes = 2 << 20

    private let table: ServiceTable
    private let map: ColumnMap
    private let time: ForeignTime
    private var files: ArraySlice<SourceFile>
    private var current: (name: String, reader: any CellReader, plan: ColumnPlan)?
    private var number = 0
    /// Of the files before the current one.
    private var rowsBefore = 0
    private var fileNotes: [String] = []
    private var unused = UnusedValues()
    /// Of the current file, by column.
    private var unusedRows: [Int] = []
    /// Rows whose tags were separated where one of them may hold the separator.
    private var rowsWithSeparatedTags = 0
    private var lastName = ""
    /// Why it can't be read on, once the rows before are given.
    private var failure: SourceError?

    package init(_ files: [SourceFile], _ table: ServiceTable, map: ColumnMap = ColumnMap(), time: ForeignTime) {
        self.files = files[...]
        self.table = table
        self.map = map
        self.time = time
    }

    package convenience init(_ files: [SourceFile], _ service: ForeignService, time: ForeignTime) {
        self.init(files, service.table, time: time)
    }

    package func next() async throws -> [SourceRow] {
        if let failure { throw failure }
        var rows: [SourceRow] = []
        var bytes = 0
        do {
            while rows.count < Self.batch, bytes < Self.batchBytes {
                if current == nil { current = try await openNext() }
                guard let (_, reader, plan) = current else { break }
                guard let record = try await reader.next() else {
                    try endFile()
                    continue
                }
                number += 1
                bytes += record.bytes.count
                rows.append(SourceRow(number: number, link: link(record, plan)))
            }
        } catch let error as SourceError {
            let named = SourceError("\(lastName): \(error.description)")
            guard !rows.isEmpty else { throw named }
            failure = named
        }
        return rows
    }

    package var notes: [String] {
        var unused = unused
        addUnused(to: &unused)
        return fileNotes + currentNotes + tagNotes + unused.notes("column")
    }

    private var tagNotes: [String] {
        guard rowsWithSeparatedTags > 0 else { return [] }
        return [
            "tags are separated by a comma and a space, and one that holds both becomes two: "
                + (rowsWithSeparatedTags == 1 ? "1 row has" : "\(rowsWithSeparatedTags) rows have")
                + " several tags; the service's API tells them apart"
        ]
    }

    private var currentNotes: [String] {
        guard let (name, reader, _) = current, let note = reader.note else { return [] }
        return ["\(name): \(note)"]
    }

    private func addUnused(to unused: inout UnusedValues) {
        guard let plan = current?.plan else { return }
        for (heading, rows) in zip(plan.headings, unusedRows) { unused.add(heading, rows: rows) }
    }

    private func endFile() throws {
        addUnused(to: &unused)
        fileNotes += currentNotes
        current = nil
        guard number > rowsBefore else { throw SourceError("it has no rows; there is nothing to import") }
    }

    private func openNext() async throws -> (name: String, reader: any CellReader, plan: ColumnPlan)? {
        guard let file = files.popFirst() else { return nil }
        lastName = file.name
        rowsBefore = number
        let reader = try file.open()
        guard let headings = try await reader.headings() else { throw SourceError("it is empty") }
        unusedRows = Array(repeating: 0, count: headings.count)
        return (file.name, reader, try ColumnPlan(headings, used: reader.usedHeadings, table, map))
    }

    private func link(_ record: CSVReader.Record, _ plan: ColumnPlan) -> ForeignLink {
        var link = ForeignLink()
        link.values = SourceValues(record, plan.names)
        for (column, field) in plan.fields.enumerated() where column < record.count {
            guard let field else {
                countUnused(record, column, plan)
                continue
            }
            guard let text = record.text(at: column) else {
                link.refuse(
                    "its \"\(plan.headings[column].excerpt(60))\" is not valid UTF-8; save the file as UTF-8, and give it by "
                        + "its name rather than on standard input")
                continue
            }
            link.set(field, text, time)
            if field == .listedTags, link.draft.tags.count > 1 { rowsWithSeparatedTags += 1 }
        }
        if record.count > plan.fields.count,
            let extra = (plan.fields.count..<record.count).first(where: { !record.isBlank(at: $0) })
        {
            link.refuse(
                "cell \(extra + 1) is filled, and there are \(plan.fields.count) columns: a separator may not be quoted"
            )
        }
        table.finish(&link)
        if !link.slugEnding.isEmpty { link.address.slug += "/" + link.slugEnding }
        return link
    }

    /// A column that repeats another one loses nothing.
    private func countUnused(_ record: CSVReader.Record, _ column: Int, _ plan: ColumnPlan) {
        let cell = record.bytes(at: column)
        guard UnusedValues.isValue(cell) else { return }
        if let first = plan.firsts[column], first < record.count, record.bytes(at: first).elementsEqual(cell) { return }
        unusedRows[column] += 1
    }
}
