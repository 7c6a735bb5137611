internal import WaymarkJSON
import WaymarkLinks

/// The links of files with one JSON object in each line.
package final class JSONLinesSource: LinkSource {
    private let mapping: @Sendable ([UInt8]) -> ForeignLink
    private var files: ArraySlice<(name: String, read: () throws -> PieceReader)>
    private var current: (name: String, lines: LineReader)?
    private var number = 0
    /// Of the files before the current one.
    private var rowsBefore = 0
    private var unused = UnusedValues()
    private var lastName = ""
    /// Why it can't be read on, once the rows before are given.
    private var failure: SourceError?

    package init(
        _ files: [(name: String, read: () throws -> PieceReader)],
        _ mapping: @escaping @Sendable ([UInt8]) -> ForeignLink
    ) {
        self.files = files[...]
        self.mapping = mapping
    }

    package static func branch(_ line: [UInt8], _ time: ForeignTime) -> ForeignLink {
        read(line, time) { ForeignLink.branch($0, $1) }
    }
    package static func waymark(_ line: [UInt8], _ time: ForeignTime) -> ForeignLink {
        read(line, time, ForeignLink.waymark)
    }

    private static func read(
        _ line: [UInt8], _ time: ForeignTime, _ mapping: (JSONValue, ForeignTime) -> ForeignLink
    ) -> ForeignLink {
        guard let value = JSONText.value(JSONText.cleaned(line)), value.object != nil else {
            var link = ForeignLink()
            link.refuse("the line is not a JSON object, or has more than \(JSONText.mostValues) values")
            return link
        }
        return mapping(value, time)
    }

    package var notes: [String] { unused.notes("member") }

    package func next() async throws -> [SourceRow] {
        if let failure { throw failure }
        var rows: [SourceRow] = []
        var bytes = 0
        do {
            while rows.count < TableSource.batch, bytes < TableSource.batchBytes {
                if current == nil {
                    guard let file = files.popFirst() else { break }
                    lastName = file.name
                    rowsBefore = number
                    current = (file.name, LineReader(try file.read()))
                }
                guard let line = try await current?.lines.next() else {
                    current = nil
                    guard number > rowsBefore else {
                        throw SourceError("it has no links; there is nothing to import")
                    }
                    continue
                }
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
                number += 1
                bytes += line.count
                let link = mapping(line)
                for name in link.unused { unused.add(name) }
                rows.append(SourceRow(number: number, link: link))
            }
        } catch let error as SourceError {
            let named = SourceError("\(lastName): \(error.description)")
            guard !rows.isEmpty else { throw named }
            failure = named
        }
        return rows
    }
}

/// JSON of services that do not escape what they must.
package enum JSONText {
    /// Values of a line or a cell: a link has a few hundred at most. Each takes up to a hundred times its bytes.
    static let mostValues = 10_000
    /// Values of one answer of a service, a page of links.
    static let mostValuesOfAnswer = 100_000

    /// Nil if the text is not JSON, or has more values.
    static func value(_ text: [UInt8], atMost limit: Int = mostValues) -> JSONValue? {
        guard hasFewValues(text, limit) else { return nil }
        return try? JSONValue(parsing: text)
    }

    /// Whether not more than `limit` commas and brackets stand outside of strings.
    static func hasFewValues(_ text: [UInt8], _ limit: Int) -> Bool {
        var count = 0
        var isString = false
        var isEscaped = false
        for byte in text {
            if isEscaped {
                isEscaped = false
            } else if isString {
                if byte == UInt8(ascii: "\\") { isEscaped = true } else if byte == 0x22 { isString = false }
            } else {
                switch byte {
                case 0x22: isString = true
                case UInt8(ascii: ","), UInt8(ascii: "{"), UInt8(ascii: "["):
                    count += 1
                    if count > limit { return false }
                default: break
                }
            }
        }
        return true
    }

    /// The texts of a JSON array; nil for anything else.
    static func strings(_ text: String) -> [String]? {
        guard let values = value(Array(text.utf8))?.array else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }

    /// Control characters become spaces: between tokens they mean nothing, and in texts they are not allowed.
    package static func cleaned(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 < 0x20 }) else { return text }
        return text.map { $0 < 0x20 ? 0x20 : $0 }
    }
}
