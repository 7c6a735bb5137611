import Foundation
import WaymarkService
import WaymarkSite

extension ApplicationsFile {
    /// The applications in the file that the configuration names; none where it names none.
    ///
    /// - Throws: `CommandFailure` in one line, with every problem and its place.
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
