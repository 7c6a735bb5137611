import Foundation
import Testing

extension EndToEnd {
    /// The cases that all clients share, with WaymarkKit.
    @Suite struct SharedCasesTests {
        @Test(arguments: [
            "create", "deferred", "events", "explain", "openings", "resolve", "retries", "routes", "templates", "url",
        ])
        func passesTheCasesOfEveryClient(kind: String) throws {
            let outcome = try run("Clients/cases/\(kind).json")
            #expect(outcome.status == 0, "\(outcome.output)")
            #expect(outcome.output.wholeMatch(of: /[1-9][0-9]* cases passed\n/) != nil)
        }

        @Test func namesEveryFileOfCases() throws {
            let folder = Executable.package.appendingPathComponent("Clients/cases")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 10)
        }

        @Test func failsWhereACaseIsNotMet() throws {
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).json")
            defer { try? FileManager.default.removeItem(at: file) }
            let text = #"""
                {"kind": "url", "cases": [
                  {"name": "right", "input": {"url": "a:b"}, "expected": {"scheme": "a"}},
                  {"name": "wrong", "input": {"url": "a:b"}, "expected": {"scheme": "b"}}]}
                """#
            try Data(text.utf8).write(to: file)
            let outcome = try run(file.path)
            #expect(outcome.status == 1)
            #expect(outcome.output.contains("wrong\n  scheme: expected \"b\", got \"a\""))
            #expect(outcome.output.contains("1 cases passed"))
        }

        @Test(arguments: ["Clients/cases/none.json", "README.md"])
        func complainsOfAFileThatIsNone(file: String) throws {
            #expect(try run(file).status == 2)
        }

        private func run(_ file: String) throws -> (status: Int32, output: String) {
            let process = Process()
            process.executableURL = Executable.built.deletingLastPathComponent()
                .appendingPathComponent("waymark-kit-cases")
            process.currentDirectoryURL = Executable.package
            process.arguments = [file]
            let output = Pipe()
            process.standardOutput = output
            process.standardError = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            return (process.terminationStatus, text)
        }
    }
}
