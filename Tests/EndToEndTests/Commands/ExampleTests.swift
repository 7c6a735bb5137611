import Foundation
import Testing

extension EndToEnd {
    /// `Scripts/example` with the program under test: an app's life in several processes.
    @Suite struct ExampleTests {
        @Test(.enabled(if: hasCurl, "no curl on this machine"))
        func playsAnAppsLife() throws {
            let process = Process()
            process.executableURL = Executable.package.appendingPathComponent("Scripts/example")
            process.arguments = [
                Executable.url.path,
                Executable.built.deletingLastPathComponent().appendingPathComponent("waymark-example").path,
            ]
            let output = Pipe()
            process.standardError = output
            try process.run()
            let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
            process.waitUntilExit()
            #expect(process.terminationStatus == 0, "\(text)")
            #expect(text.hasSuffix("All is as it should be.\n"))
        }

        private static let hasCurl = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
            .contains { FileManager.default.isExecutableFile(atPath: $0 + "/curl") }
    }
}
