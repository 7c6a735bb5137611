internal import Foundation

/// A table of a guide, whose rows tests compare with what they have checked.
package enum GuideTable {
    /// The names in the first cells of the table under a heading, separated by commas there.
    ///
    /// - Parameter guide: A file of `docs/guide`.
    /// - Throws: If the guide can't be read. Without the heading or a table the result is empty.
    package static func names(in guide: String, under heading: String) throws -> [String] {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let text = try String(contentsOf: root.appending(path: "docs/guide/\(guide)"), encoding: .utf8)
        let section = text.components(separatedBy: "# \(heading)\n").dropFirst().first ?? ""
        let rows = section.components(separatedBy: "\n## ")[0].split(separator: "\n")
        return rows.filter { $0.hasPrefix("| ") }.dropFirst()
            .flatMap { row in row.dropFirst(2).prefix { $0 != "|" }.split(separator: ", ") }
            .map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
    }
}
