import Foundation
import WaymarkService
import WaymarkSite

extension ApplicationsFile {
    /// The applications in the configured file; empty if none is configured.
    ///
    /// - Throws: `CommandFailure` in one line, with all problems and their paths.
    static func read(_ path: String?) throws -> [ApplicationDefinition] {
        guard let path else { return [] }
        switch read(try JSONFile.bytes(path)) {
        case .definitions(let definitions):
            let problems = ApplicationRegistry.problems(inFile: definitions)
            guard problems.isEmpty else { throw CommandFailure.usage("\(path): \(problems.joined(separator: "; "))") }
            return definitions
        case .problems(let problems):
            throw CommandFailure.usage("\(path): \(problems.joined(separator: "; "))")
        }
    }
}
