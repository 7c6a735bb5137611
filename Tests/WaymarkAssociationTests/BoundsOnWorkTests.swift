import Testing

@testable import WaymarkAssociation

/// What lint and simulation come to, whatever a file holds: in steps of the budget and in bytes of the answer.
@Suite struct BoundsOnWorkTests {
    /// What may be charged after it was done.
    private static let overshoot = WorkBudget.usual / 2

    @Test(arguments: HostileFile.all)
    func lintStopsWhereTheBudgetEnds(hostile: HostileFile) {
        let budget = WorkBudget()
        let report = AssociationLint.lint(
            hostile.bytes(AssociationLint.sizeLimit), isServedHere: true, budget: budget)
        #expect(budget.spent <= WorkBudget.usual + Self.overshoot)
        #expect(report.findings.count <= LintDiagnostics.limit + 2)
        #expect(report.json().count <= 256 << 10)
        #expect(report.findings.contains { $0.rule == .budgetExceeded } == budget.isExhausted)
    }

    @Test(arguments: HostileFile.all)
    func simulationStopsWhereTheBudgetEnds(hostile: HostileFile) throws {
        let budget = WorkBudget()
        let file = hostile.bytes(AppleAppSiteAssociation.sizeLimit)
        let outcome = AssociationSimulation.simulate(file: file, url: hostile.url, budget: budget)
        #expect(budget.spent <= WorkBudget.usual + Self.overshoot)
        guard case .answer(let answer) = outcome else { return }
        #expect(answer.json().count <= 512 << 10)
        #expect(answer.trace.count <= SimulationResult.traceLimit)
        #expect(answer.findings.contains { $0.rule == .budgetExceeded } == budget.isExhausted)
        if answer.isUndecided { #expect(!answer.opens && !answer.documented) }
    }

    /// Those of which every part is looked at once.
    @Test(arguments: [
        "one bracket missing, on one line", "one bracket missing, a line for each", "fingerprints",
        "apps that are right", "statements of one app", "stars between letters",
    ])
    func twiceTheFileCostsTwiceAsMuch(name: String) throws {
        let hostile = try #require(HostileFile.all.first { $0.name == name })
        func spent(_ size: Int) -> Int {
            let budget = WorkBudget(.max)
            _ = AssociationLint.lint(hostile.bytes(size), budget: budget)
            return budget.spent
        }
        let (once, twice) = (spent(30_000), spent(60_000))
        #expect(twice <= once * 22 / 10, "\(once) \(twice)")
    }

    /// What people write is checked to its end.
    @Test func reachesForAFileOfAThousandRules() {
        let components = (0..<1_000).map {
            #"{"/":"/products/\#($0)/*","?":{"ref":"?*"},"comment":"The page of product \#($0)."}"#
        }
        let file =
            #"{"applinks":{"details":[{"appIDs":["ABCDE12345.com.example.app"],"components":[\#(components.joined(separator: ","))]}]}}"#
        let budget = WorkBudget()
        let report = AssociationLint.lint(Array(file.utf8), isServedHere: true, budget: budget)
        #expect(!budget.isExhausted)
        #expect(report.findings.isEmpty, "\(report.findings.map(\.problem))")
        let other = WorkBudget()
        let outcome = AssociationSimulation.simulate(
            file: Array(file.utf8), url: "https://go.example.com/products/999/x?ref=mail", budget: other)
        guard case .answer(let answer) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(answer.component == 999)
        #expect(answer.findings.isEmpty)
        #expect(answer.trace.count == SimulationResult.traceLimit)
        #expect(answer.trace.last?.component == 999)
    }

    @Test func saysWhatItLeavesOut() {
        let file = Array(("{" + (0..<300).map { "\"x\($0)\":0" }.joined(separator: ",") + "}").utf8)
        let report = AssociationLint.lint(file)
        #expect(report.findings.count == LintDiagnostics.limit + 1)
        #expect(report.findings.last?.rule == .findingsOmitted)
    }

    @Test func cutsLongNamesInPointers() {
        let name = String(repeating: "n", count: 100_000)
        let file = #"{"applinks":{"substitutionVariables":{"\#(name)":[0,0]},"details":[]}}"#
        let pointers = AssociationLint.lint(Array(file.utf8)).findings.compactMap(\.pointer)
        #expect(pointers.contains { $0.hasSuffix("…/1") })
        #expect(pointers.allSatisfy { $0.utf8.count < 200 })
    }

    @Test func refusesFilesThatAreTooLarge() {
        let file = Array(repeating: UInt8(ascii: " "), count: AssociationLint.sizeLimit + 1)
        #expect(AssociationLint.lint(file, kind: .apple).findings.map(\.rule) == [.fileTooLarge])
        let outcome = AssociationSimulation.simulate(file: file, url: "https://a.example/")
        #expect(outcome == .unusable(AssociationLint.tooLarge(file.count)))
    }

    @Test(arguments: [
        ("https://a.example/" + String(repeating: "a", count: 16_384), "must be at most 16384 bytes long"),
        ("https://a.example/?" + String(repeating: "a&", count: 1_001), "must have at most 1000 query items"),
        ("a.example", "must be an absolute URL"),
    ])
    func refusesURLsThatAskForTooMuch(url: String, problem: String) {
        #expect(AssociationURL.problem(of: url) == problem)
        let outcome = AssociationSimulation.simulate(file: Array("{}".utf8), url: url)
        #expect(outcome == .unusable("\(quoted(url)) \(problem)"))
    }
}
