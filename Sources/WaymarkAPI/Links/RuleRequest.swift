package import WaymarkJSON

/// A destination for visitors that match a condition. The first matching rule wins.
public struct RuleRequest: Sendable, Hashable {
    /// The condition; an empty one matches every visitor.
    public var when: Condition
    public var to: Target

    /// The visitor's destination.
    public enum Target: Sendable, Hashable {
        /// An http(s) URL for every platform.
        case url(String)
        /// URLs by platform, like a link's `urls`; a platform without one continues with the next rule.
        case urls([String: URLEntryRequest])
    }

    /// All given members must match, with any one of their values; nil is ignored.
    public struct Condition: Sendable, Hashable {
        /// `iphone`, `ipad`, `ios` (either), `android`, `macos`, `windows`, `linux`, `web` (anything else).
        public var platform: [String]?
        /// `phone`, `tablet`, `desktop`, `unknown`.
        public var device: [String]?
        /// `safari`, `chrome`, `firefox`… as named in explanations.
        public var browser: [String]?
        /// `instagram`, `facebook`… as named in explanations.
        public var inApp: [String]?
        /// `play`, `appGallery`, `galaxy`, `amazon`, `microsoft`: the store that the device has.
        public var store: [String]?
        /// Whether it is the in-app browser of any app; also sent as `inApp`.
        public var isInApp: Bool?
        /// `de` also matches `de-AT`.
        public var language: [String]?
        /// ISO 3166-1 alpha-2.
        public var country: [String]?
        /// Parameters of the click by name, with the accepted values; nil accepts any value.
        public var query: [String: [String]?]?
        /// `example.com`, `*.example.com` for all of its subdomains, or `app:com.example.mail` for an Android app.
        public var referrerHost: [String]?
        /// RFC 3339, inclusive.
        public var after: String?
        /// RFC 3339, exclusive.
        public var before: String?
        /// 1–100: the percentage of all visitors, after the shares of the preceding rules. A visitor always falls
        /// into the same share.
        public var percentage: Int?

        public init() {}
    }

    public init(when: Condition = Condition(), to: Target) {
        self.when = when
        self.to = to
    }
}

extension RuleRequest {
    /// A target that is missing or of another type is reported and replaced by an empty map.
    init(reading reader: inout ObjectReader) {
        when = reader.object("when") { Condition(reading: &$0) } ?? Condition()
        switch reader.value("to") {
        case nil:
            reader.reject("to", "is missing")
            to = .urls([:])
        case let value? where value.string != nil: to = .url(value.string ?? "")
        case let value? where value.object != nil: to = .urls(reader.urls("to") ?? [:])
        case let value?:
            reader.reject("to", value, mustBe: "a URL, or an object of platforms and URLs")
            to = .urls([:])
        }
    }

    package func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.name("when")
        when.write(to: &writer)
        switch to {
        case .url(let url): writer.member("to", url)
        case .urls(let urls): writer.urls("to", urls)
        }
        writer.endObject()
    }
}

extension RuleRequest.Condition {
    init(reading reader: inout ObjectReader) {
        self.init()
        platform = reader.texts("platform")
        device = reader.texts("device")
        browser = reader.texts("browser")
        if let flag = reader.value("inApp")?.bool { isInApp = flag } else { inApp = reader.texts("inApp") }
        store = reader.texts("store")
        language = reader.texts("language")
        country = reader.texts("country")
        query = reader.dictionary("query") { value, field, reader -> [String]?? in
            if value.bool == true { return .some(nil) }
            if let text = ParameterText.read(value), value.bool == nil { return [text] }
            let texts = (value.array ?? []).compactMap { ParameterText.read($0) }
            guard let elements = value.array, texts.count == elements.count else {
                reader.reject(field(), value, mustBe: "a value, an array of values, or true for any")
                return nil
            }
            return texts
        }
        referrerHost = reader.texts("referrerHost")
        after = reader.string("after")
        before = reader.string("before")
        percentage = reader.integer("percentage")
    }

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.texts("platform", platform)
        writer.texts("device", device)
        writer.texts("browser", browser)
        if let isInApp { writer.member("inApp", isInApp) } else { writer.texts("inApp", inApp) }
        writer.texts("store", store)
        writer.texts("language", language)
        writer.texts("country", country)
        if let query {
            writer.name("query")
            writer.beginObject()
            for (name, values) in query.sorted(by: { $0.key < $1.key }) {
                writer.name(given: name)
                if let values { writer.texts(values) } else { writer.bool(true) }
            }
            writer.endObject()
        }
        writer.texts("referrerHost", referrerHost)
        writer.member("after", ifGiven: after)
        writer.member("before", ifGiven: before)
        writer.member("percentage", ifGiven: percentage)
        writer.endObject()
    }
}

extension ObjectReader {
    /// The rules of a link or an application.
    mutating func rules(_ name: String) -> [RuleRequest]? {
        objects(name, instead: RuleRequest(to: .urls([:]))) { RuleRequest(reading: &$0) }
    }

    /// A string or an array of strings.
    fileprivate mutating func texts(_ name: String) -> [String]? {
        guard let value = value(name) else { return nil }
        if let text = value.string { return [text] }
        guard value.array != nil else {
            reject(name, value, mustBe: "a string or an array of strings")
            return nil
        }
        return strings(name)
    }
}

extension JSONWriter {
    mutating func rules(_ name: StaticString, _ rules: [RuleRequest]) {
        array(name, rules) { $0.write(to: &$1) }
    }

    /// Writes one value as a string, several as an array.
    fileprivate mutating func texts(_ name: StaticString, _ values: [String]?) {
        guard let values else { return }
        self.name(name)
        texts(values)
    }

    fileprivate mutating func texts(_ values: [String]) {
        if values.count == 1 { return string(values[0]) }
        beginArray()
        for value in values { string(value) }
        endArray()
    }
}

extension RuleRequest {
    /// The readable part of a rule, and what is wrong with it.
    package static func attempt(_ value: JSONValue) -> (body: RuleRequest?, problems: [FieldProblem]) {
        guard let document = try? JSONDocument(value.bytes()) else {
            return (nil, [FieldProblem(field: "", problem: "is nested too deeply")])
        }
        return ObjectReader.attempt(document) { RuleRequest(reading: &$0) }
    }
}
