package import WaymarkJSON

/// An error of the API (RFC 9457, `application/problem+json`).
public struct Problem: Error, Sendable, Equatable {
    public static let mediaType = "application/problem+json"

    /// The full URN: `urn:waymark:problem:slug-taken`.
    public var type: String
    public var title: String
    /// The HTTP status.
    public var status: Int
    /// One sentence about this occurrence.
    public var detail: String
    /// All invalid members; sent with status 422.
    public var errors: [FieldProblem]

    public init(_ type: ProblemType, _ detail: String, errors: [FieldProblem] = []) {
        self.type = type.urn
        self.title = type.title
        self.status = type.status
        self.detail = detail.cut(toBytes: 8 * 1024)
        self.errors = errors
    }

    /// Creates the problem of a body with invalid members.
    ///
    /// - Parameter errors: all of them. At most 200 are listed, in at most 48 KiB, so that a response is below 64 KiB
    ///   for any request. The last entry has the number of further problems.
    public init(invalid errors: [FieldProblem]) {
        let total = errors.total
        let detail = total == 1 ? "One field is not valid." : "\(total) fields are not valid."
        self.init(.invalidFields, detail, errors: ProblemList(errors).entries.fitting(48 * 1024))
    }

    /// The problem with as many errors as fit in this many bytes, but at least one.
    package func shortened(to bytes: Int) -> Problem {
        var problem = self
        problem.errors = errors.fitting(bytes)
        return problem
    }

    /// The size of the errors in a response, in bytes.
    package var errorBytes: Int { errors.reduce(0) { $0 + $1.encodedSize } }

    /// The known type; nil if a newer server sent another.
    public var known: ProblemType? {
        guard type.hasPrefix(ProblemType.prefix) else { return nil }
        return ProblemType(rawValue: String(type.dropFirst(ProblemType.prefix.count)))
    }

    /// The response body.
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

    /// Decodes a server's response; nil if the bytes are not a problem document.
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
