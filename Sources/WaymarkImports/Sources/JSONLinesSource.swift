internal import WaymarkJSON
import WaymarkLinks

/// The links of files with one JSON object in each line.
package final class JSONLinesSource: LinkSource {
    private let mapping: @Sendable ([UInt8]) -> ForeignLink
    private var files: ArraySlice<(name: String, read: () throws -> PieceReader)>
    private var current: (name: String, lines: LineReader)?
    private var number = 0

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
        guard let value = try? JSONValue(parsing: JSONText.cleaned(line)), value.object != nil else {
            var link = ForeignLink()
            link.refuse("the line is not a JSON object")
            return link
        }
        return mapping(value, time)
    }

    package func next() async throws -> [SourceRow] {
        var rows: [SourceRow] = []
        while rows.count < TableSource.batch {
            if current == nil {
                guard let file = files.popFirst() else { break }
                current = (file.name, LineReader(try file.read()))
            }
            guard let (name, lines) = current else { break }
            do {
                guard let line = try lines.next() else {
                    current = nil
                    continue
                }
                if line.allSatisfy({ $0 == 0x20 || $0 == 0x09 }) { continue }
                number += 1
                rows.append(SourceRow(number: number, link: mapping(line)))
            } catch let error as SourceError {
                throw SourceError("\(name): \(error.description)")
            }
        }
        return rows
    }
}

/// JSON of services that do not escape what they must.
package enum JSONText {
    /// The texts of a JSON array; nil for anything else.
    static func strings(_ text: String) -> [String]? {
        guard let values = (try? JSONValue(parsing: Array(text.utf8)))?.array else { return nil }
        let texts = values.compactMap(\.string)
        return texts.count == values.count ? texts : nil
    }

    /// Control characters become spaces: between tokens they mean nothing, and in texts they are not allowed.
    package static func cleaned(_ text: [UInt8]) -> [UInt8] {
        guard text.contains(where: { $0 < 0x20 }) else { return text }
        return text.map { $0 < 0x20 ? 0x20 : $0 }
    }
}
