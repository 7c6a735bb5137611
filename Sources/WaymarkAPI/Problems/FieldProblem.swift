package import WaymarkJSON

/// What is wrong with one member of a body that was sent.
public struct FieldProblem: Sendable, Hashable {
    /// Where: `urls.web`, `templates[0].urls.ios.link`, `[3].slug` in a batch; `body` for the whole.
    public let field: String
    /// A sentence without its full stop, for the person who wrote the request.
    public let problem: String

    /// What the entry is, for code that reacts to it; `problem` is for people.
    package enum Kind: Sendable, Hashable {
        case problem
        /// The member is null where null is not allowed. In a merge patch that is a removal.
        case null
        /// Stands for so many problems that are not named.
        case omitted(Int)
    }

    package let kind: Kind

    /// How many problems the entry stands for that are not named; 0 for a problem itself.
    package var omitted: Int { if case .omitted(let count) = kind { count } else { 0 } }

    /// Bytes of either text; what is longer is cut.
    static let textLimit = 400

    public init(field: String, problem: String) {
        self.init(field: field, problem: problem, kind: .problem)
    }

    init(field: String, problem: String, kind: Kind) {
        self.field = field.cut(toBytes: Self.textLimit)
        self.problem = problem.cut(toBytes: Self.textLimit)
        self.kind = kind
    }

    /// How many bytes the problem takes of an answer, no less.
    var encodedSize: Int {
        // A control character is written in six bytes.
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
