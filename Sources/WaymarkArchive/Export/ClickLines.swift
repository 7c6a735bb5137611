import WaymarkAPI
import WaymarkJSON
package import WaymarkLinks
package import WaymarkStores

/// Click records for other programs: a line for each, in the order of days, without visitors' numbers.
package struct ClickLines {
    package enum Format: String, CaseIterable, Sendable { case jsonl, csv }

    private let format: Format
    private let application: ApplicationID?
    /// Blocks that could not be read.
    package private(set) var unreadable = 0

    /// - Parameter application: Only its clicks; nil for all.
    package init(_ format: Format, of application: ApplicationID?) {
        self.format = format
        self.application = application
    }

    /// Writes all lines. Holds some blocks in memory at a time.
    ///
    /// - Parameter write: Receives a line without its newline.
    package mutating func run(
        _ archive: any StoreArchive, days: ClosedRange<Int>, write: (_ line: [UInt8]) throws -> Void
    ) throws {
        if format == .csv {
            try write(Self.row(["at", "app", "domain", "slug"] + ClickField.allCases.map(\.name)))
        }
        let page = 200
        var last: ClickBlock.Key?
        while true {
            let blocks = try archive.shippedBlocks(days: days, after: last, limit: page)
            for block in blocks where application == nil || block.application == application {
                guard let records = block.block.contents?.records else {
                    unreadable += 1
                    continue
                }
                for record in records { try write(line(record, of: block)) }
            }
            guard blocks.count == page, let end = blocks.last else { return }
            last = end.block.key
        }
    }

    private func line(_ record: ClickRecord, of block: ShippedBlock) -> [UInt8] {
        let at = record.time.rfc3339
        switch format {
        case .csv:
            return Self.row(
                [at, block.application.text, block.domain.text, block.slug ?? ""]
                    + ClickField.allCases.map { record.profile[$0] ?? "" })
        case .jsonl:
            return JSONWriter.text(capacity: 512) { writer in
                writer.beginObject()
                writer.member("at", at)
                writer.member("app", block.application.text)
                writer.member("domain", block.domain.text)
                writer.member("slug", block.slug)
                for field in ClickField.allCases {
                    writer.name(given: field.name)
                    if let value = record.profile[field] { writer.string(value) } else { writer.null() }
                }
                writer.endObject()
            }
        }
    }

    /// Without the newline of its line end.
    private static func row(_ cells: [String]) -> [UInt8] {
        var table = CSVTable()
        table.add(cells)
        return table.bytes.dropLast()
    }
}
