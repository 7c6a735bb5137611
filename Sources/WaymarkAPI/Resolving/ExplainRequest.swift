package import WaymarkJSON

/// A hypothetical visit to explain: the body of `POST /api/v1/explain`.
public struct ExplainRequest: Sendable, Hashable {
    /// The smart link to visit, with its query.
    public var url: String
    /// The header fields of the request; names are case-insensitive.
    public var headers: [String: String] = [:]
    /// The visitor's IP address, such as `192.0.2.1` or `2001:db8::1`.
    public var ip: String?
    /// The time of the visit, RFC 3339; nil: now.
    public var at: String?
    /// The visitor's country, ISO 3166-1 alpha-2; nil: that of the address or of the proxy's field.
    public var country: String?
    /// The name of a rule with a percentage: a visitor in its share; `.some(nil)`: one whom no rule takes by a percentage.
    /// Nil: the visitor of the address.
    public var variant: String??

    public init(
        url: String, headers: [String: String] = [:], ip: String? = nil, at: String? = nil, country: String? = nil,
        variant: String?? = nil
    ) {
        self.url = url
        self.headers = headers
        self.ip = ip
        self.at = at
        self.country = country
        self.variant = variant
    }

    /// - Throws: `BodyError` with all invalid members.
    public init(json: [UInt8]) throws(BodyError) {
        let (body, problems) = Self.attempt(try ObjectReader.document(json, shape: Self.shape))
        guard problems.isEmpty, let body else { throw .invalid(problems) }
        self = body
    }

    /// The body with all members of the right types, for further validation. A `url` that is missing or of another
    /// type is reported and replaced by an empty string.
    package static func attempt(_ document: JSONDocument) -> (body: ExplainRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { reader in
            var request = visit(&reader)
            request.at = reader.string("at")
            let variant = reader.string("variant")
            request.variant = reader.isNull("variant") ? .some(nil) : variant.map { $0 }
            return request
        }
    }

    /// Everything but the time and the variant.
    package static func visit(_ reader: inout ObjectReader) -> ExplainRequest {
        let url = reader.required("url") ?? ""
        let headers = reader.dictionary("headers") { value, field, reader -> String? in
            if let text = value.string { return text }
            reader.reject(field(), value, mustBe: "a string")
            return nil
        }
        return ExplainRequest(
            url: url, headers: headers ?? [:], ip: reader.string("ip"), country: reader.string("country"))
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
            writer.member("country", ifGiven: country)
            if let variant { writer.member("variant", variant) }
            writer.endObject()
        }
    }
}
