import FoundationEssentials
import Testing
import WaymarkAssociation
import WaymarkJSON

/// The two samples of a published how-to, as printed there: they are no JSON, and what the page says of them holds once
/// they are. Read where the page lies beside the package.
@Suite struct SeedSampleTests {
    /// From each heading to the last line that belongs to the file.
    private static let samples: [String] = {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(4).joined(separator: "/")
        guard let data = FileManager.default.contents(atPath: root + "/shared/research/seed-003-taptalk.md") else {
            return []
        }
        let parts = String(decoding: data, as: UTF8.self).components(separatedBy: "\napple-app-site-association\n")
        return parts.dropFirst().map { part in
            part.split(separator: "\n", omittingEmptySubsequences: false)
                .prefix { line in line.first.map { "{} ".contains($0) } ?? false && !line.hasPrefix("  •") }
                .joined(separator: "\n")
        }
    }()

    /// What lint found mended by hand: the quotation marks, and the brace that closes `applinks`.
    private static func corrected(_ sample: String, _ team: String) -> [UInt8] {
        let text = sample.replacing("\u{201C}", with: "\"").replacing("\n}", with: "\n    }\n}")
            .replacing("YOURTEAMID", with: team)
        return Array(text.utf8)
    }

    @Test(.enabled(if: !samples.isEmpty, "the page is not beside the package"))
    func saysWhereAndWhyTheyAreNoJSON() throws {
        try #require(Self.samples.count == 2)
        let first = AssociationLint.lint(Array(Self.samples[0].utf8), kind: .apple)
        #expect(first.findings.map(\.rule) == [.jsonMissingBracket])
        #expect(first.findings.first?.line == 10)
        #expect(!first.isClean)

        let second = AssociationLint.lint(Array(Self.samples[1].utf8), kind: .apple)
        let errors = second.findings.filter { $0.rule.severity == .error }
        #expect(
            errors.map { "\($0.rule.rawValue) \($0.line ?? 0):\($0.column ?? 0)" }
                == ["json-curly-quote 6:26", "json-curly-quote 10:26", "json-missing-bracket 14:1"],
            "\(second.text(name: "sample"))")
        for finding in first.findings + errors { #expect(!finding.mend.isEmpty) }
    }

    @Test(.enabled(if: !samples.isEmpty, "the page is not beside the package"))
    func lintCleanOnceTheyAre() throws {
        // Ten capitals may be somebody's prefix, so the page's own word for it is one.
        for team in ["YOURTEAMID", "ABCDE12345"] {
            let first = AssociationLint.lint(Self.corrected(Self.samples[0], team), kind: .apple)
            #expect(first.findings.isEmpty, "\(first.text(name: "first"))")
            // What stands behind "*" is superfluous, which is worth a note.
            let second = AssociationLint.lint(Self.corrected(Self.samples[1], team), kind: .apple)
            #expect(second.isClean, "\(second.text(name: "second"))")
            #expect(second.findings.contains { $0.rule == .ruleRedundant && $0.line == 7 })
        }
    }

    private static func answer(_ sample: Int, _ path: String, app: String? = nil) throws -> SimulationResult {
        let outcome = AssociationSimulation.simulate(
            file: corrected(samples[sample], "ABCDE12345"), url: "https://web.taptalk.io" + path, app: app)
        guard case .answer(let answer) = outcome else {
            Issue.record("\(outcome)")
            return SimulationResult()
        }
        return answer
    }

    @Test(.enabled(if: !samples.isEmpty, "the page is not beside the package"))
    func doWhatThePageSays() throws {
        // "You can use * as a wildcard to enable all paths in your entire website."
        for path in ["", "/", "/room1", "/a/b/c?d#e"] { #expect(try Self.answer(0, path).opens, "\(path)") }
        // NOT sends links to the web, for each of the apps.
        for app in ["ABCDE12345.com.firstapp.id", "ABCDE12345.com.secondapp.id"] {
            for path in ["/e/", "/e/1", "/e/1/2", "/e"] {
                let answer = try Self.answer(1, path, app: app)
                #expect(!answer.opens && answer.excluded, "\(app) \(path)")
            }
            for path in ["/", "/first/1", "/second/1", "/other"] {
                let answer = try Self.answer(1, path, app: app)
                #expect(answer.opens && answer.appID == app, "\(app) \(path)")
            }
        }
        // With both installed the earlier entry gets the link.
        #expect(try Self.answer(1, "/second/1").appID == "ABCDE12345.com.firstapp.id")
    }
}
