package import WaymarkJSON

/// Why a request body was rejected.
public enum BodyError: Error, Sendable, Equatable {
    /// Not JSON; the text is the position and the reason.
    case malformed(String)
    /// JSON of another shape: all unknown fields and wrong types.
    case invalid([FieldProblem])

    /// The problem to respond with.
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
