import WaymarkLinks

/// Rows of cells under headings: a CSV file, a table of a database dump or of a database.
package protocol CellReader: AnyObject {
    /// Nil where there is nothing at all.
    func headings() throws -> [String]?
    func next() throws -> CSVReader.Record?
}

extension CSVReader: CellReader {
    package func headings() throws -> [String]? {
        try next()?.cells.map { heading in
            // As people type them.
            String(heading.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
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

    package static func csv(_ name: String, _ read: @escaping () throws -> PieceReader) -> SourceFile {
        SourceFile(name: name) { CSVReader(try read()) }
    }
}

/// The links of tables, one file after the other; rows are numbered over all of them.
package final class TableSource: LinkSource {
    static let batch = 1_000

    private let table: ServiceTable
    private let map: ColumnMap
    private let time: ForeignTime
    private var files: ArraySlice<SourceFile>
    private var current: (name: String, reader: any CellReader, plan: ColumnPlan)?
    private var number = 0

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
        var rows: [SourceRow] = []
        rows.reserveCapacity(Self.batch)
        while rows.count < Self.batch {
            guard let (name, reader, plan) = try current ?? openNext() else { break }
            do {
                guard let record = try reader.next() else {
                    current = nil
                    continue
                }
                number += 1
                rows.append(SourceRow(number: number, link: link(record, plan)))
            } catch let error as SourceError {
                throw SourceError("\(name): \(error.description)")
            }
        }
        return rows
    }

    private func openNext() throws -> (name: String, reader: any CellReader, plan: ColumnPlan)? {
        guard let file = files.popFirst() else { return nil }
        let reader = try file.open()
        let found: [String]?
        do {
            found = try reader.headings()
        } catch let error as SourceError {
            throw SourceError("\(file.name): \(error.description)")
        }
        guard let headings = found else { throw SourceError("\(file.name): it is empty") }
        let opened = (file.name, reader, try ColumnPlan(headings, table, map, file: file.name))
        current = opened
        return opened
    }

    private func link(_ record: CSVReader.Record, _ plan: ColumnPlan) -> ForeignLink {
        var link = ForeignLink()
        for (column, field) in plan.fields.enumerated() where column < record.count {
            guard let field else { continue }
            link.set(field, record[column], time)
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
}
