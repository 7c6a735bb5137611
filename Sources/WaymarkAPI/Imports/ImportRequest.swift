package import WaymarkJSON

/// An import of links from another service: the body of `POST /api/v1/imports`, without files.
public struct ImportRequest: Sendable, Hashable {
    /// How the server reads from the other service's API.
    public struct Credentials: Sendable, Hashable {
        public var apiKey: String
        /// The API's address; needed for services that people host themselves.
        public var apiURL: String?

        public init(apiKey: String, apiURL: String? = nil) {
            self.apiKey = apiKey
            self.apiURL = apiURL
        }
    }

    /// `fdl`, `bitly` and so on, as `waymark links import --from` takes it.
    public var source: String
    /// Nil: the key's application, or the only one.
    public var app: String?
    /// Nil: the domain that the source names.
    public var domain: String?
    public var dryRun: Bool
    /// Fields of a link, by the columns of the files.
    public var map: [String: String]
    /// Of times without a zone, such as `Europe/Berlin`; nil: UTC.
    public var timeZone: String?
    /// Nil: the links are in files.
    public var credentials: Credentials?

    public init(
        source: String, app: String? = nil, domain: String? = nil, dryRun: Bool = false, map: [String: String] = [:],
        timeZone: String? = nil, credentials: Credentials? = nil
    ) {
        self.source = source
        self.app = app
        self.domain = domain
        self.dryRun = dryRun
        self.map = map
        self.timeZone = timeZone
        self.credentials = credentials
    }

    /// The readable part of a body, and the problems of its shape.
    package static func attempt(_ document: JSONDocument) -> (body: ImportRequest?, problems: [FieldProblem]) {
        ObjectReader.attempt(document) { ImportRequest(reading: &$0) }
    }

    private init(reading reader: inout ObjectReader) {
        if reader.value("source") == nil { reader.reject("source", "is missing") }
        self.init(
            source: reader.string("source") ?? "", app: reader.string("app"), domain: reader.string("domain"),
            dryRun: reader.bool("dryRun") ?? false, map: Self.map(&reader), timeZone: reader.string("timeZone"),
            credentials: Self.credentials(&reader))
    }

    private static func map(_ reader: inout ObjectReader) -> [String: String] {
        reader.dictionary("map") { value, field, reader in
            if value.string == nil { reader.reject(field(), value, mustBe: "a string") }
            return value.string
        } ?? [:]
    }

    /// An object, or the key alone.
    private static func credentials(_ reader: inout ObjectReader) -> Credentials? {
        guard let value = reader.value("credentials") else { return nil }
        if let key = value.string { return Credentials(apiKey: key) }
        guard let object = value.object else {
            reader.reject("credentials", value, mustBe: "an object or a string")
            return nil
        }
        return reader.part(object, at: "credentials") { part in
            if part.value("apiKey") == nil { part.reject("apiKey", "is missing") }
            return Credentials(apiKey: part.string("apiKey") ?? "", apiURL: part.string("apiURL"))
        }
    }

    public var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.member("source", source)
            writer.member("app", ifGiven: app)
            writer.member("domain", ifGiven: domain)
            writer.member("dryRun", dryRun)
            if !map.isEmpty {
                writer.name("map")
                writer.beginObject()
                for (column, field) in map.sorted(by: { $0.key < $1.key }) {
                    writer.name(given: column)
                    writer.string(field)
                }
                writer.endObject()
            }
            writer.member("timeZone", ifGiven: timeZone)
            if let credentials {
                writer.name("credentials")
                writer.beginObject()
                writer.member("apiKey", credentials.apiKey)
                writer.member("apiURL", ifGiven: credentials.apiURL)
                writer.endObject()
            }
            writer.endObject()
        }
    }
}

extension ImportRequest {
    package static let shape = JSONShape.names(
        ["source", "app", "domain", "dryRun", "timeZone"],
        ["map": .map(.scalar, atMost: BodyMaximum.names), "credentials": .names(["apiKey", "apiURL"])])
}
