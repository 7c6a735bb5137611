import WaymarkJSON

/// A destination for visitors of whom something holds; of several rules the first that matches wins.
public struct RuleRequest: Sendable, Hashable {
    /// What must hold; nothing given holds for everyone.
    public var when: Condition
    public var to: Target

    /// Where the visitor is led.
    public enum Target: Sendable, Hashable {
        /// An http(s) URL for every platform.
        case url(String)
        /// Platform → URL, as a link's `urls`; a platform that it gives nothing goes on to the next rule.
        case urls([String: URLEntryRequest])
    }

    /// All that is given must hold; of several values one is enough; nil wants nothing.
    public struct Condition: Sendable, Hashable {
        /// `iphone`, `ipad`, `ios` (either), `android`, `macos`, `windows`, `linux`, `web` (anything else).
        public var platform: [String]?
        /// `phone`, `tablet`, `desktop`, `unknown`.
        public var device: [String]?
        /// `safari`, `chrome`, `firefox`… as explanations name them.
        public var browser: [String]?
        /// `instagram`, `facebook`… as explanations name them.
        public var inApp: [String]?
        /// Whether it is any app's own browser; sent as `inApp` too.
        public var isInApp: Bool?
        /// `de` holds for `de-AT` too.
        public var language: [String]?
        /// ISO 3166-1 alpha-2.
        public var country: [String]?
        /// Parameters of the click: name → values, nil for whatever the value is.
        public var query: [String: [String]?]?
        /// `example.com`, or `*.example.com` for every host below.
        public var referrerHost: [String]?
        /// RFC 3339; from then on.
        public var after: String?
        /// RFC 3339; up to then, and no longer.
        public var before: String?
        /// 1–100: this share of all visitors, behind the shares of the rules ahead. A visitor stays in one share.
        public var percentage: Int?

        public init() {}
    }

    public init(when: Condition = Condition(), to: Target) {
        self.when = when
        self.to = to
    }
}

extension RuleRequest {
    /// A target that is missing or of another type is noted, and stands as an empty map.
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

    func write(to writer: inout JSONWriter) {
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
    mutating func rules() -> [RuleRequest] {
        objects("rules", instead: RuleRequest(to: .urls([:]))) { RuleRequest(reading: &$0) } ?? []
    }

    /// One string, or an array of them.
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
    mutating func rules(_ rules: [RuleRequest]) {
        array("rules", rules) { $0.write(to: &$1) }
    }

    /// One value alone, several as an array.
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
    /// A rule that a server sent; nil where it is none.
    init?(_ value: JSONValue) {
        guard let document = try? JSONDocument(value.bytes()) else { return nil }
        let (rule, _) = ObjectReader.attempt(document) { RuleRequest(reading: &$0) }
        guard let rule else { return nil }
        self = rule
    }
}
