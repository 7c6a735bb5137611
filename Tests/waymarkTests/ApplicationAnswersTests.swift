import Foundation
import Testing
import WaymarkJSON

@testable import waymark

/// The questions of `waymark apps init`, and what becomes of the answers.
@Suite struct ApplicationAnswersTests {
    private static let fingerprint = Array(repeating: "AB", count: 32).joined(separator: ":")

    /// A person who gives these answers, and what was written to them.
    private final class Person {
        private var lines: [String]
        var shown = ""

        init(_ lines: [String]) { self.lines = lines }

        var prompt: Prompt {
            Prompt {
                self.shown += $0
            } readLine: {
                self.lines.isEmpty ? nil : self.lines.removeFirst()
            }
        }

        var isDone: Bool { lines.isEmpty }
    }

    @Test func asksAgainAfterWrongAnswers() throws {
        let person = Person([
            "com example", "com.example.Shop", "abc.def", "", "ABCDE12345", "shop", " com.example.shop ", "12",
            Self.fingerprint, "https://go.example.com", "", "go.example.com",
        ])
        var answers = ApplicationAnswers()
        try answers.complete(asking: person.prompt)
        #expect(person.isDone)
        #expect(
            answers.document.text()
                == #"{"id":"shop","name":"shop","domains":["go.example.com"],"ios":{"appIDs":["ABCDE12345.com.example.Shop"]},"android":{"package":"com.example.shop","sha256CertFingerprints":["\#(Self.fingerprint)"]}}"#
        )
        #expect(person.shown.components(separatedBy: "Apple team ID").count == 4)
    }

    @Test func asksOnlyForWhatIsMissing() throws {
        let person = Person(["", "go.example.com"])
        var answers = ApplicationAnswers(bundleID: "com.example.shop", teamID: "ABCDE12345")
        try answers.complete(asking: person.prompt)
        #expect(answers.package == "")
        #expect(answers.problems.isEmpty)
        #expect(!person.shown.contains("team"))
    }

    @Test func advisesAnOpenHostForIOS() throws {
        var answers = ApplicationAnswers(
            bundleID: "com.example.shop", teamID: "ABCDE12345", domain: "go.example.com")
        try answers.complete(asking: nil)
        #expect(ApplicationSteps(answers).text.contains("set openHost to a second domain"))
        answers.openHost = "open.example.com"
        try answers.complete(asking: nil)
        #expect(answers.document["openHost"] == "open.example.com")
        let steps = ApplicationSteps(answers).text
        #expect(!steps.contains("set openHost"))
        #expect(steps.contains("applinks:go.example.com and applinks:open.example.com"))
        answers.openHost = "go.example.com"
        #expect(throws: CommandFailure.self) { try answers.complete(asking: nil) }
    }

    @Test func asksForOneKindOfAppAtLeast() throws {
        let person = Person(["", "", "com.example.shop", Self.fingerprint, "go.example.com"])
        var answers = ApplicationAnswers()
        try answers.complete(asking: person.prompt)
        #expect(person.shown.contains("give an iOS or an Android app"))
        #expect(!answers.hasIOSApp)
    }

    @Test func failsIfTheInputEnds() {
        var answers = ApplicationAnswers()
        #expect(throws: CommandFailure.self) { try answers.complete(asking: Person(["com.example.shop"]).prompt) }
    }

    @Test(arguments: [
        (ApplicationAnswers(), "--bundle-id or --package is needed: give an iOS or an Android app"),
        (ApplicationAnswers(bundleID: "com.example.a"), "--team-id is missing"),
        (ApplicationAnswers(teamID: "ABCDE12345"), "--team-id needs --bundle-id"),
        (ApplicationAnswers(package: "com.example.a"), "--fingerprint is missing"),
        (ApplicationAnswers(fingerprint: "AB"), "--fingerprint needs --package"),
        (ApplicationAnswers(bundleID: "com.example.a", teamID: "ABCDE12345"), "--domain is missing"),
        (
            ApplicationAnswers(bundleID: "com.example.a", teamID: "ABCDE12345", domain: "a b"),
            "--domain: \"a b\" is not a valid host name"
        ),
        (ApplicationAnswers(package: "shop"), "--package: \"shop\" must be"),
        (
            ApplicationAnswers(bundleID: "com.example.a", teamID: "ABCDE12345", domain: "a.example", id: "a/b"),
            "id must be 1 to 64"
        ),
    ])
    func refusesIncompleteFlagsWithoutATerminal(answers: ApplicationAnswers, message: String) {
        var answers = answers
        do {
            try answers.complete(asking: nil)
            Issue.record("\(answers) was accepted")
        } catch let failure as CommandFailure {
            #expect(failure.status == CommandFailure.usage)
            #expect(failure.message.hasPrefix(message), "\(failure.message)")
        } catch {
            Issue.record(error)
        }
    }

    @Test(
        arguments: [
            ("com.example.Shop", nil, "shop"), (nil, "com.example.my_shop", "my-shop"), ("com.example.-", nil, "app"),
        ] as [(String?, String?, String)])
    func makesTheIDFromTheApp(bundleID: String?, package: String?, id: String) {
        #expect(ApplicationAnswers(bundleID: bundleID, package: package).resolvedID == id)
    }

    @Test(arguments: [
        ("ABCDE12345", 0), ("ABCD1234", 1),
    ])
    func warnsOfUnusualTeams(teamID: String, count: Int) {
        let answers = ApplicationAnswers(bundleID: "com.example.shop", teamID: teamID, domain: "go.example.com")
        #expect(answers.problems.isEmpty)
        #expect(answers.warnings.count == count, "\(answers.warnings)")
    }

    @Test func saysWhatToDoNext() {
        var steps = ApplicationSteps(
            ApplicationAnswers(bundleID: "com.example.shop", package: "com.example.shop", domain: "go.example.com"))
        steps.file = "shop.json"
        for part in [
            "wrote shop.json\n", "waymark apps apply shop.json", "waymark doctor go.example.com",
            "applinks:go.example.com", #"android:host="go.example.com""#,
        ] { #expect(steps.text.contains(part)) }
    }
}
