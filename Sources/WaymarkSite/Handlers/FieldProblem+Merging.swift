import WaymarkAPI
import WaymarkLinks

/// The wire's problem of a field; the rules of links have their own of the same name.
typealias FieldProblem = WaymarkAPI.FieldProblem

extension FieldProblem {
    init(_ problem: WaymarkLinks.FieldProblem) {
        self.init(field: problem.field, problem: problem.problem)
    }

    /// What is wrong with a body's shape, and behind it what is wrong with the meaning of the rest.
    ///
    /// A member of a wrong type was read as absent, so a complaint about the same member, about what would be inside of
    /// it, or that it is missing says nothing new and is left out.
    static func merged(shape: [FieldProblem], meaning: [FieldProblem]) -> [FieldProblem] {
        let known = Set(shape.map(\.field))
        return shape
            + meaning.filter { problem in
                !known.contains { field in
                    field == problem.field || field.hasPrefix(problem.field + ".")
                        || problem.field.hasPrefix(field + ".") || problem.field.hasPrefix(field + "[")
                        // Whether a link needs a route depends on its URLs.
                        || (problem.field == "route" && (field == "urls" || field.hasPrefix("urls.")))
                }
            }
    }
}
