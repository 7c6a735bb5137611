import FoundationEssentials
import Testing
import WaymarkBytes

@testable import WaymarkAssociation

/// `docs/guide/association.md` and the code say the same.
@Suite struct DocumentationTests {
    private static let text: String = {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        guard let data = FileManager.default.contents(atPath: root + "/docs/guide/association.md") else { return "" }
        return String(decoding: data, as: UTF8.self)
    }()

    @Test func listsEveryFinding() {
        let start = Self.text.firstRange(of: "## Findings")?.upperBound ?? Self.text.endIndex
        let rows = Self.text[start...].split(separator: "\n").filter { $0.hasPrefix("| `") }
        let expected = LintRule.allCases.map {
            "| `\($0.rawValue)` | \($0.severity.rawValue) | \($0.meaning) | \($0.source) |"
        }
        #expect(rows.map(String.init) == expected)
    }

    @Test func listsEveryOpenQuestion() {
        for doubt in Ambiguity.allCases { #expect(Self.text.contains("- \(doubt.sentence).\n"), "\(doubt)") }
    }

    @Test func namesEveryContext() {
        for context in NavigationContext.allCases { #expect(Self.text.contains("`\(context.rawValue)`")) }
    }

    @Test func `every finding has a code of its own`() {
        #expect(Set(LintRule.allCases.map(\.rawValue)).count == LintRule.allCases.count)
        for rule in LintRule.allCases {
            #expect(rule.rawValue.utf8.allSatisfy { $0.isLetter && !$0.isCapital || $0.isDigit || $0 == 0x2D })
        }
    }
}
