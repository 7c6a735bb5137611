import WaymarkAPI
import WaymarkJSON

/// The result of a tool: the API's answer as it is, and again as text.
struct ToolResult {
    private let structured: [UInt8]?
    private let texts: [String]
    private let isError: Bool

    /// - Parameter remark: a further text.
    init(_ response: RESTResponse, remark: String? = nil) {
        let isSuccess = (200..<300).contains(response.status)
        guard let object = Self.object(response.body) else {
            self.init(failure: "The server answered with status \(response.status), and without JSON.")
            return
        }
        let text = isSuccess ? nil : Problem(json: object).map(Self.sentences)
        self.init(
            structured: object, texts: [text ?? String(decoding: object, as: UTF8.self)] + (remark.map { [$0] } ?? []),
            isError: !isSuccess)
    }

    /// The API did not respond.
    init(failure reason: String) {
        self.init(structured: nil, texts: [reason], isError: true)
    }

    private init(structured: [UInt8]?, texts: [String], isError: Bool) {
        self.structured = structured
        self.texts = texts
        self.isError = isError
    }

    /// Without line breaks, which would end a message; nil if it is something else than an object. White space is the only place
    /// where JSON has them.
    private static func object(_ body: [UInt8]) -> [UInt8]? {
        guard let document = try? JSONDocument(body, depthLimit: 128, shape: .scalar), document.root.object != nil
        else {
            return nil
        }
        return body.map { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") ? UInt8(ascii: " ") : $0 }
    }

    private static func sentences(_ problem: Problem) -> String {
        let lines = ["\(problem.title): \(problem.detail)"] + problem.errors.map { "\($0.field): \($0.problem)" }
        return lines.joined(separator: "\n")
    }

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 2 * (structured?.count ?? 0) + 256)
        writer.beginObject()
        writer.array("content", texts) { text, writer in
            writer.beginObject()
            writer.member("type", "text")
            writer.member("text", text)
            writer.endObject()
        }
        if let structured { writer.member("structuredContent", raw: structured) }
        writer.member("isError", isError)
        writer.endObject()
        return writer.bytes
    }
}
