import WaymarkJSON

/// What the verification of a link found.
public struct LinkVerified: Sendable, Hashable {
    /// A fault, or a reason why it can't be known whether there is one.
    public struct Finding: Sendable, Hashable {
        /// `iphone`, `ipad`, `android`, `desktop`, `inApp`, `crawler`, or `all` if it does not depend on the visitor.
        public var visitor = ""
        public var code = ""
        public var message = ""
        public var url: String?

        public init() {}

        package static let members = MemberTable<Finding> {
            Member("as", .text, always: \.visitor)
            Member("code", .text, always: \.code)
            Member("message", .text, always: \.message)
            Member("url", .text, \.url)
        }
    }

    /// RFC 3339: when the link was walked last.
    public var at = ""
    /// `good`, `broken` or `unknown`.
    public var state = ""
    public var findings: [Finding] = []

    public init() {}

    package static let members = MemberTable<LinkVerified> {
        Member("at", .text, always: \.at)
        Member("state", .text, always: \.state)
        Member("findings", .objects(Finding.members, atMost: .max) { Finding() }, always: \.findings)
    }

    /// The body of `POST …:verify`.
    package var json: [UInt8] {
        JSONWriter.text { writer in
            writer.beginObject()
            writer.name("verified")
            Self.members.write(self, to: &writer)
            writer.endObject()
        }
    }
}
