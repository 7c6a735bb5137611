import WaymarkAPI
import WaymarkJSON
package import WaymarkService

/// The file that the configuration key `applications` names: an array of applications.
package enum ApplicationsFile {
    package enum Reading: Sendable {
        case definitions([ApplicationDefinition])
        /// A sentence for each thing that is wrong, with its place: `[0].templates[1].route is missing`.
        case problems([String])
    }

    package static func read(_ bytes: [UInt8]) -> Reading {
        let document: JSONDocument
        do throws(JSONError) {
            document = try JSONDocument(bytes, shape: ApplicationRequest.fileShape)
        } catch {
            return .problems([error.description])
        }
        guard let elements = document.root.array else {
            return .problems(["must be an array of applications, not \(document.root.noun)"])
        }
        if let count = document.countBeyondMaximum(of: document.root) {
            return .problems(["must hold at most \(elements.count) applications, not \(count)"])
        }
        var definitions: [ApplicationDefinition] = []
        var problems: [String] = []
        for (index, element) in elements.enumerated() {
            switch ApplicationDocument.read(document, element) {
            case .definition(let definition): definitions.append(definition)
            case .problems(let found):
                problems += found.map { problem in
                    problem.field == "body"
                        ? "[\(index)] \(problem.problem)" : "[\(index)].\(problem.field) \(problem.problem)"
                }
            }
        }
        return problems.isEmpty ? .definitions(definitions) : .problems(problems)
    }
}
