package import WaymarkJSON

/// A problem with one member of a request body.
public struct FieldProblem: Sendable, Hashable {
    /// The path: `urls.web`, `templates[0].urls.ios.link`, `[3].slug` in a batch; `body` for the whole.
    public let field: String
    /// One sentence without a full stop, for the developer of the client.
    public let problem: String

    /// The kind of entry, for code; `problem` is for people.
    package enum Kind: Sendable, Hashable {
        case problem
        /// The member is null where null is not allowed. In a merge patch it is a removal.
        case null
        /// Represents this number of further problems.
        case omitted(Int)
    }

    package let kind: Kind

    /// The number of further problems the entry represents; 0 for a problem itself.
    package var omitted: Int { if case .omitted(let count) = kind { count } else { 0 } }

    /// Maximum length of both texts in bytes; longer ones are truncated.
    static let textLimit = 400

    public init(field: String, problem: String) {
        self.init(field: field, problem: problem, kind: .problem)
    }

    init(field: String, problem: String, kind: Kind) {
        self.field = field.cut(toBytes: Self.textLimit)
        self.problem = problem.cut(toBytes: Self.textLimit)
        self.kind = kind
    }

    /// An upper bound of the problem's size in a response, in bytes.
    var encodedSize: Int {
        // A control character is escaped as six bytes.
        func size(_ text: String) -> Int {
            text.utf8.reduce(2) { $0 + ($1 < 0x20 ? 6 : $1 == UInt8(ascii: "\"") || $1 == UInt8(ascii: "\\") ? 2 : 1) }
        }
        return size(field) + size(problem) + 25
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("field", field)
        writer.member("problem", problem)
        writer.endObject()
    }
}

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
