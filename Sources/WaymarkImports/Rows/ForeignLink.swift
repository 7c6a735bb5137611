package import WaymarkAPI
import WaymarkBytes
package import WaymarkJSON
package import WaymarkLinks

/// A link as another service has it, before it is checked against an application.
package struct ForeignLink: Sendable, Equatable {
    /// A slug on a host; the host is nil where the source names none.
    package struct Address: Sendable, Hashable {
        package var domain: String?
        package var slug: String

        package init(domain: String? = nil, slug: String) {
            self.domain = domain
            self.slug = slug
        }

        /// Out of a short URL, with or without its scheme. The path stays as it is, byte for byte.
        package init?(url: String) {
            var rest = url[...]
            if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
            let address = rest.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") }
            let host = address.prefix { $0 != UInt8(ascii: "/") }
            let path = address.dropFirst(host.count).dropFirst()
            let name = host.prefix { $0 != UInt8(ascii: ":") }
            guard !name.isEmpty, !path.isEmpty else { return nil }
            self.init(domain: String(Substring(name)), slug: String(Substring(path)))
        }

        /// A further slug in a list: a URL, with or without its scheme, or a slug, which may have several segments.
        package init(alias text: String) {
            let isURL =
                text.hasPrefix("//") || text.contains("://")
                || text.utf8.prefix { $0 != UInt8(ascii: "/") }.contains(UInt8(ascii: "."))
            let url = text.hasPrefix("//") ? String(text.dropFirst(2)) : text
            self = isURL ? Address(url: url) ?? Address(slug: text) : Address(slug: text)
        }
    }

    /// The row itself, by which `links verify` judges; nil if it could not be read.
    package var values: SourceValues?
    package var address = Address(slug: "")
    /// Further slugs of the same link.
    package private(set) var aliases: [Address] = []
    package var draft = LinkRequest()
    /// The parameters of a link that another server of this kind made as a Firebase Dynamic Link.
    package var storedFirebase: FirebaseParameters?
    /// The parameters of a Firebase Dynamic Link, out of which the draft is made once the application is known.
    package var firebase: [FirebaseParameter: String] = [:]
    /// The data of a Branch link, out of which the draft is made once the application is known.
    package var branch: [String: String]?
    /// What held at the source, by the link or by its application.
    package struct SettingsInEffect: Sendable, Equatable {
        var forwardQuery: Bool
        var queryOverride: Bool
    }
    package var settings: SettingsInEffect?
    package var metadata = JSONObject()
    package var createdAt: Timestamp?
    package var importedClicks: Int?
    package var isArchived = false
    /// Whether it has a password, which the source may not tell.
    package var hasPassword = false
    /// What could not be taken over; the link is imported all the same.
    package var notes: [String] = []
    /// Why the link can't be imported.
    package var refusal: String?
    /// Members of the answer that have a value and were not used.
    package private(set) var unused: [String] = []

    package init() {}

    /// What must stand behind the slug for the link to work.
    var slugEnding = ""
    /// A split test of two columns.
    var splitURL: String?
    var splitPercentage: Int?
    /// Whether its rules were made out of another service's: one that means nothing here is left out, with a note.
    package private(set) var hasConvertedRules = false

    /// Adds a further slug. Beyond one more than a link may have they are not kept: the row will be refused.
    mutating func add(alias: Address) {
        guard aliases.count <= LinkLimits.aliases, alias != address, !aliases.contains(alias) else { return }
        aliases.append(alias)
    }

    /// Slugs as they are stored: decoded, and without what visits ignore at their ends. Further slugs without a domain are on
    /// the link's own.
    mutating func normalizeAddresses() {
        let slug = Self.stored(address.slug)
        if slug != address.slug, PercentEncoding.decodeText(address.slug) != slug {
            notes.append("its slug is \(slug.excerpt(130)), which answers \(address.slug.excerpt(130)) too")
        }
        address.slug = slug
        aliases = aliases.map { Address(domain: $0.domain ?? address.domain, slug: Self.stored($0.slug)) }
    }

    private static func stored(_ slug: String) -> String {
        // Nearly all slugs.
        if slug.utf8.allSatisfy(\.isAlphanumeric) { return slug }
        // A longer one is refused, whatever its end is: each character there costs much.
        guard slug.utf8.count <= 4 * Slug.maximumBytes else { return slug }
        let decoded = PercentEncoding.decodeText(slug) ?? slug
        let path = OpenedPath.trimmed(Substring(decoded.utf8.drop { $0 == UInt8(ascii: "/") }))
        return path.isEmpty ? slug : String(path)
    }

    /// Keeps the object, and the names of members that have a value and are not among those that were read.
    mutating func noteUnused(_ object: JSONObject?, used: Set<String>) {
        if let object { values = SourceValues(object) }
        for member in object?.members ?? [] where !used.contains(member.name) && member.value.saysSomething {
            let name = member.name.excerpt(UnusedValues.longestName)
            guard unused.count <= UnusedValues.limit else { return }
            if !unused.contains(name) { unused.append(name) }
        }
    }

    /// Beyond one more than a link may have rules are not kept: the row will be refused.
    mutating func addRule(_ url: String, _ condition: (inout RuleRequest.Condition) -> Void) {
        hasConvertedRules = true
        guard draft.rules.count <= Rule.limit else { return }
        var when = RuleRequest.Condition()
        condition(&when)
        let apps = Self.isApps(url) ? ["ios", "android"].filter { when.platform?.contains($0) ?? true } : []
        let urls = Dictionary(apps.map { ($0, URLEntryRequest(url)) }) { first, _ in first }
        draft.rules.append(RuleRequest(when: when, to: apps.isEmpty ? .url(url) : .urls(urls)))
    }

    private static func isApps(_ url: String) -> Bool {
        guard let pattern = URLPattern(url) else { return false }
        return !pattern.isWeb
    }

    /// The platforms for which the link has no URL of its own, for rules that such URLs precede; nil: all.
    var otherPlatforms: [String]? {
        let all = ["ios", "android", "macos", "windows", "linux", "web"]
        let others = all.filter { draft.urls[$0] == nil || $0 == "web" }
        return others.count == all.count ? nil : others
    }

    /// Makes the split test a rule. URLs for platforms precede it.
    mutating func addSplit() {
        guard let splitURL else { return }
        guard let share = splitPercentage, (1...99).contains(share) else {
            notes.append("its split test was left out: the share is no number from 1 to 99")
            return
        }
        let platforms = otherPlatforms
        addRule(splitURL) { condition in
            condition.platform = platforms
            condition.percentage = share
        }
    }

    /// Takes the visits that were made already off a limit: clicks begin at zero here.
    mutating func limitClicks(to most: Int, made: Int?) {
        let (left, overflow) = most.subtractingReportingOverflow(max(0, made ?? 0))
        if left > 0, !overflow {
            draft.maxClicks = left
        } else {
            draft.maxClicks = nil
            draft.disabled = true
            notes.append("it is disabled: its \(most) visits are used up")
        }
    }

    mutating func refuse(_ reason: String) { refusal = refusal ?? reason }

    /// A password in the clear, or the word of whether there is one.
    mutating func setPassword(_ text: String) {
        let isThere = flag(text)
        if isThere == false { return }
        hasPassword = true
        if isThere == true { return }
        // `$2a$12$…`
        if text.hasPrefix("$"), text.count(where: { $0 == "$" }) > 2 {
            refuse("its password is there as a hash only, by which nothing can be checked here")
        } else {
            draft.password = text
        }
    }
}

/// One row of a source.
package struct SourceRow: Sendable, Equatable {
    /// From 1, over all files.
    package var number: Int
    package var link: ForeignLink

    package init(number: Int, link: ForeignLink) {
        self.number = number
        self.link = link
    }
}

/// Where links come from.
package protocol LinkSource: AnyObject {
    /// The next rows; empty at the end.
    ///
    /// - Throws: `SourceError` where the source can't be read on.
    func next() async throws -> [SourceRow]
    /// How many rows there are, roughly; nil where that is not known.
    var total: Int? { get }
    /// Whether it fails in the same place when it is read again, as a file does.
    var isRepeatable: Bool { get }
    /// What was not taken over of all rows so far, one sentence each; at most a few hundred.
    var notes: [String] { get }
}

extension LinkSource {
    package var total: Int? { nil }
    package var isRepeatable: Bool { true }
    package var notes: [String] { [] }
}

extension JSONValue {
    /// Whether it is more than what a service writes where nobody set anything: null, an empty text or list, false, 0.
    fileprivate var saysSomething: Bool {
        switch kind {
        case .null: false
        case .string(let text): !text.isEmpty
        case .bool(let flag): flag
        case .number(let number): number.text != "0"
        case .array(let values): !values.isEmpty
        case .object(let object): !object.isEmpty
        }
    }
}
