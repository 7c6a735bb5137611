package import WaymarkJSON

/// What is wrong with one member of a body that was sent.
public struct FieldProblem: Sendable, Hashable {
    /// Where: `urls.web`, `templates[0].urls.ios.link`, `[3].slug` in a batch; `body` for the whole.
    public let field: String
    /// A sentence without its full stop, for the person who wrote the request.
    public let problem: String

    public init(field: String, problem: String) {
        self.field = field
        self.problem = problem
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("field", field)
        writer.member("problem", problem)
        writer.endObject()
    }
}
