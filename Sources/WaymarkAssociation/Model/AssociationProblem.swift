/// Something wrong with the part of an application that association files are made from.
package struct AssociationProblem: Hashable, Sendable {
    /// Where, from the application's top: `ios.components[0]./`, `android.sha256CertFingerprints[1]`.
    package let field: String
    /// What is wrong or allowed, in words that go on after the field's name; one line.
    package let problem: String

    package init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }
}

extension AssociationProblem: CustomStringConvertible {
    package var description: String { "\(field) \(problem)" }
}
