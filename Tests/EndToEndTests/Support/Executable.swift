import Foundation

/// The `waymark` under test: the one that `WAYMARK_PROGRAM` names, else the one that was built together with these tests.
enum Executable {
    static let url: URL =
        ProcessInfo.processInfo.environment["WAYMARK_PROGRAM"].map { URL(fileURLWithPath: $0) } ?? built

    /// Beside the test bundle, or some folders above its binary (bundles are folders on macOS).
    static let built: URL = {
        for path in images {
            var folder = URL(fileURLWithPath: path).resolvingSymlinksInPath().deletingLastPathComponent()
            for _ in 0..<4 {
                let candidate = folder.appendingPathComponent("waymark")
                if isProgram(candidate.path) { return candidate }
                folder.deleteLastPathComponent()
            }
        }
        return URL(fileURLWithPath: "/waymark-was-not-built")
    }()

    /// Where the tests may have been loaded from: they are the program itself, or a helper was told to load them.
    private static var images: [String] {
        let program = Bundle.main.executablePath ?? CommandLine.arguments[0]
        return [program] + CommandLine.arguments.filter { $0.contains(".xctest") }
    }

    private static func isProgram(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && !isFolder.boolValue
            && FileManager.default.isExecutableFile(atPath: path)
    }

    /// The folder of the package, for the pages in `Public`.
    static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
}
