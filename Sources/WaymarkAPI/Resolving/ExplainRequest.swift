package import WaymarkJSON

/// A visit that somebody wonders about: the body of `POST /api/v1/explain`.
public struct ExplainRequest: Sendable, Hashable {
    /// The smart link as it is followed, with its query.
    public var url: String
    /// The request's header fields, by name in whatever case.
    public var headers: [String: String] = [:]
    /// The visitor's address, such as `192.0.2.1` or `2001:db8::1`.
    public var ip: String?
    /// When the visit comes, RFC 3339; nil: now.
    public var at: String?

    public init(url: String, headers: [String: String] = [:], ip: String? = nil, at: String? = nil) {
        self.url = url
        self.headers = headers
        self.ip = ip
        self.at = at
    }

    /// - Throws: `BodyError` with every member that is not as it should be.
    public init(json: [UInt8]) throws(BodyError) {
        let (body, problems) = Self.attempt(try ObjectReader.document(json, shape: Self.shape))
        guard problems.isEmpty, let body else { throw .invalid(problems) }
        self = body
    }

    /// The body as far as its members have the right types, for who goes on looking for further problems in them. A `url`
    /// that is missing or of another type stands as empty text, and is noted.
    package static func attempt(_ document: JSONDocument) -> (body: ExplainRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            let url = reader.required("url") ?? ""
            let headers = reader.dictionary("headers") { value, field, reader -> String? in
                if let text = value.string { return text }
                reader.reject(field(), value, mustBe: "a string")
                return nil
            }
            return ExplainRequest(
                url: url, headers: headers ?? [:], ip: reader.string("ip"), at: reader.string("at"))
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("url", url)
            if !headers.isEmpty {
                writer.name("headers")
                writer.beginObject()
                for (name, value) in headers.sorted(by: { $0.key < $1.key }) { writer.member(given: name, value) }
                writer.endObject()
            }
            writer.member("ip", ifGiven: ip)
            writer.member("at", ifGiven: at)
            writer.endObject()
        }
    }
}
