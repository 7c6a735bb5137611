import Foundation
import Testing

@testable import waymark

/// `docs/operations/configuration.md` has a row for each setting: it is written by this test (`Scripts/settings-table`), and
/// every run compares the two.
@Suite struct SettingsTableTests {
    private static let file = Documentation.path("operations/configuration.md")
    private static let (begin, end) = ("<!-- settings: begin -->\n", "<!-- settings: end -->\n")

    @Test func theDocumentationHasEverySetting() throws {
        let page = try String(contentsOfFile: Self.file, encoding: .utf8)
        let begin = try #require(page.range(of: Self.begin)).upperBound
        let end = try #require(page.range(of: Self.end)).lowerBound
        if ProcessInfo.processInfo.environment["WAYMARK_WRITE_DOCS"] == "1" {
            let written = page[..<begin] + Settings.documentation + page[end...]
            try String(written).write(toFile: Self.file, atomically: true, encoding: .utf8)
        } else {
            #expect(page[begin..<end] == Settings.documentation, "run Scripts/settings-table")
        }
    }
}

enum Documentation {
    static func path(_ page: String) -> String {
        "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/") + "/docs/\(page)"
    }
}
