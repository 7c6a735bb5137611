package import WaymarkJSON

/// Why a body can't be taken.
public enum BodyError: Error, Sendable, Equatable {
    /// It is not JSON; the sentence says where and why.
    case malformed(String)
    /// It is JSON of another shape: every unknown field and every wrong type.
    case invalid([FieldProblem])

    /// The problem that a server answers with.
    public var problem: Problem {
        switch self {
        case .malformed(let reason): Problem(.malformedJSON, reason)
        case .invalid(let errors): Problem(invalid: errors)
        }
    }

    package init(_ error: JSONError) {
        self = .malformed("The body is not JSON: \(error.description).")
    }
}
