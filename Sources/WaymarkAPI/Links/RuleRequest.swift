package import WaymarkJSON

/// A destination for visitors that match a condition. The first matching rule wins.
public struct RuleRequest: Sendable, Hashable {
    /// For statistics, 1 to 64 characters, unique among the rules; nil: its number, from 1.
    public var name: String?
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

    public init(name: String? = nil, when: Condition = Condition(), to: Target) {
        self.name = name
        self.when = when
        self.to = to
    }
}

extension RuleRequest {
    package static let members = MemberTable<RuleRequest> {
        Member("name", .text, \.name)
        Member("when", .object(Condition.members) { Condition() }, always: \.when)
        Member("to", .target, required: \.to)
    }

    /// A target that is missing or of another type is reported and replaced by an empty map.
    init(reading reader: inout ObjectReader) {
        self.init(to: .urls([:]))
        Self.members.read(&reader, into: &self)
    }

    package func write(to writer: inout JSONWriter) { Self.members.write(self, to: &writer) }
}

extension RuleRequest.Condition {
    package static let members = MemberTable<RuleRequest.Condition> {
        Member("platform", .values, \.platform)
        Member("device", .values, \.device)
        Member("browser", .values, \.browser)
        Member("inApp", .inApp, \.anyOrNamedApps)
        Member("store", .values, \.store)
        Member("language", .values, \.language)
        Member("country", .values, \.country)
        Member("query", .acceptedValues, \.query)
        Member("referrerHost", .values, \.referrerHost)
        Member("after", .text, \.after)
        Member("before", .text, \.before)
        Member("percentage", .integer, \.percentage)
    }

    fileprivate enum InApp: Equatable, Sendable {
        case any(Bool)
        case named([String])
    }

    /// What `inApp` says: a flag or names.
    private var anyOrNamedApps: InApp? {
        get { isInApp.map { .any($0) } ?? inApp.map { .named($0) } }
        set {
            (isInApp, inApp) = (nil, nil)
            switch newValue {
            case .any(let flag): isInApp = flag
            case .named(let names): inApp = names
            case nil: break
            }
        }
    }
}

extension MemberType<[RuleRequest]> {
    static var rules: Self { .objects(RuleRequest.members, atMost: BodyMaximum.rules) { RuleRequest(to: .urls([:])) } }
}

extension MemberType<RuleRequest.Target> {
    fileprivate static var target: Self {
        Self(.urls) { reader, name in
            guard let value = reader.value(name) else { return nil }
            if let url = value.string { return .url(url) }
            if value.object != nil { return reader.urls(name).map { .urls($0) } }
            reader.reject(name, value, mustBe: "a URL, or an object of platforms and URLs")
            return nil
        } write: { writer, name, target in
            switch target {
            case .url(let url): writer.member(name, url)
            case .urls(let urls): writer.urls(name, urls)
            }
        }
    }
}

extension JSONShape {
    fileprivate static let values = strings(atMost: BodyMaximum.ruleValues)
}

extension MemberType<[String]> {
    /// A string or an array of strings; several are written as an array.
    fileprivate static var values: Self {
        Self(.values) {
            $0.texts($1)
        } write: {
            $0.name($1)
            $0.texts($2)
        }
    }
}

extension MemberType<RuleRequest.Condition.InApp> {
    fileprivate static var inApp: Self {
        Self(.values) { reader, name in
            if let flag = reader.value(name)?.bool { return .any(flag) }
            return reader.texts(name).map { .named($0) }
        } write: { writer, name, value in
            switch value {
            case .any(let flag): writer.member(name, flag)
            case .named(let names):
                writer.name(name)
                writer.texts(names)
            }
        }
    }
}

extension MemberType<[String: [String]?]> {
    /// Values by the parameter's name; nil, written as true, accepts any.
    fileprivate static var acceptedValues: Self {
        Self(.map(.values, atMost: BodyMaximum.names)) { reader, name in
            reader.dictionary(name) { value, field, reader -> [String]?? in
                if value.bool == true { return .some(nil) }
                if let text = ParameterText.read(value), value.bool == nil { return [text] }
                let texts = (value.array ?? []).compactMap { ParameterText.read($0) }
                guard let elements = value.array, texts.count == elements.count else {
                    reader.reject(field(), value, mustBe: "a value, an array of values, or true for any")
                    return nil
                }
                return texts
            }
        } write: { writer, name, query in
            writer.name(name)
            writer.beginObject()
            for (name, values) in query.sorted(by: { $0.key < $1.key }) {
                writer.name(given: name)
                if let values { writer.texts(values) } else { writer.bool(true) }
            }
            writer.endObject()
        }
    }
}

extension ObjectReader {
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
    /// Writes one value as a string, several as an array.
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
