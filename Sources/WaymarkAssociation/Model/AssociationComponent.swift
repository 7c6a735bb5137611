internal import WaymarkJSON

/// One rule of Apple's `components`, or of Android's dynamic rules, which have the same form with fewer members: the
/// URLs it matches, and whether they open the app or the browser.
///
/// Nil means not configured and is not written: the file is served as configured, without Apple's defaults.
package struct AssociationComponent: Hashable, Sendable {
    /// `?`: a pattern for the whole query, or one for each named item, in the order given.
    package enum Query: Hashable, Sendable {
        case text(String)
        case items([QueryItem])
    }

    package struct QueryItem: Hashable, Sendable {
        package let name: String
        package let pattern: String
        package init(name: String, pattern: String) {
            self.name = name
            self.pattern = pattern
        }
    }

    /// `/`. Apple's default: `*`.
    package var path: String?
    /// `?`. Apple's default: `*`.
    package var query: Query?
    /// `#`. Apple's default: `*`.
    package var fragment: String?
    /// Whether matching URLs stay in the browser. Apple's default: false.
    package var exclude: Bool?
    /// Apple's default: true.
    package var caseSensitive: Bool?
    /// Apple's default: true.
    package var percentEncoded: Bool?
    package var comment: String?

    package init(
        path: String? = nil, query: Query? = nil, fragment: String? = nil, exclude: Bool? = nil,
        caseSensitive: Bool? = nil, percentEncoded: Bool? = nil, comment: String? = nil
    ) {
        self.path = path
        self.query = query
        self.fragment = fragment
        self.exclude = exclude
        self.caseSensitive = caseSensitive
        self.percentEncoded = percentEncoded
        self.comment = comment
    }
}

extension AssociationComponent {
    /// The members documented by Apple. Devices ignore others, including a misspelt `casesensitive`, so they are
    /// errors here.
    static let members = ["/", "?", "#", "exclude", "comment", "caseSensitive", "percentEncoded"]

    /// The members documented by Google, and `comment`, which is not written to the file.
    static let androidMembers = ["/", "?", "#", "exclude", "comment"]

    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let path { writer.member("/", path) }
        switch query {
        case .text(let pattern):
            writer.member("?", pattern)
        case .items(let items):
            writer.name("?")
            writer.beginObject()
            for item in items { writer.member(given: item.name, item.pattern) }
            writer.endObject()
        case nil:
            break
        }
        if let fragment { writer.member("#", fragment) }
        if let exclude { writer.member("exclude", exclude) }
        if let caseSensitive { writer.member("caseSensitive", caseSensitive) }
        if let percentEncoded { writer.member("percentEncoded", percentEncoded) }
        if let comment { writer.member("comment", comment) }
        writer.endObject()
    }
}
