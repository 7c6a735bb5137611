package import WaymarkJSON

/// An error of the interface, as it is sent (RFC 9457, `application/problem+json`).
public struct Problem: Error, Sendable, Equatable {
    public static let mediaType = "application/problem+json"

    /// The whole name: `urn:waymark:problem:slug-taken`.
    public var type: String
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// What happened this time, as one sentence.
    public var detail: String
    /// Every member that is not as it should be; given with status 422.
    public var errors: [FieldProblem]

    public init(_ type: ProblemType, _ detail: String, errors: [FieldProblem] = []) {
        self.type = type.urn
        self.title = type.title
        self.status = type.status
        self.detail = detail.cut(toBytes: 8 * 1024)
        self.errors = errors
    }

    /// The problem of a body of which some members are wrong.
    ///
    /// - Parameter errors: all of them. At most 200 are named, in 48 KiB: an answer stays below 64 KiB whatever was sent.
    ///   The last entry says how many more there are.
    public init(invalid errors: [FieldProblem]) {
        let total = errors.total
        let detail = total == 1 ? "One field is not valid." : "\(total) fields are not valid."
        self.init(.invalidFields, detail, errors: ProblemList(errors).entries.fitting(48 * 1024))
    }

    /// The problem with no more errors than so many bytes hold, and at least one.
    package func shortened(to bytes: Int) -> Problem {
        var problem = self
        problem.errors = errors.fitting(bytes)
        return problem
    }

    /// How many bytes its errors take of an answer.
    package var errorBytes: Int { errors.reduce(0) { $0 + $1.encodedSize } }

    /// Which of the known kinds it is; nil for one that a newer server may send.
    public var known: ProblemType? {
        guard type.hasPrefix(ProblemType.prefix) else { return nil }
        return ProblemType(rawValue: String(type.dropFirst(ProblemType.prefix.count)))
    }

    /// The body that is sent.
    public var json: [UInt8] { JSONWriter.text { write(to: &$0) } }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("type", type)
        writer.member("title", title)
        writer.member("status", status)
        writer.member("detail", detail)
        if status == ProblemType.invalidFields.status {
            writer.array("errors", errors) { $0.write(to: &$1) }
        }
        writer.endObject()
    }

    /// Reads a problem that a server sent; nil where the bytes are no such document.
    public init?(json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let type = value["type"]?.string,
            let status = value["status"]?.integer
        else { return nil }
        self.type = type
        self.status = status
        title = value["title"]?.string ?? ""
        detail = value["detail"]?.string ?? ""
        errors = (value["errors"]?.array ?? []).compactMap { error in
            guard let field = error["field"]?.string, let problem = error["problem"]?.string else { return nil }
            return FieldProblem(field: field, problem: problem)
        }
    }
}
