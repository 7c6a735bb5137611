/// A rule as submitted, not yet validated.
package struct RuleDraft: Sendable, Hashable {
    package var when = Condition()
    /// Exactly one of the two is set; both are nil if `to` is missing or invalid, which the reader has reported.
    package var url: String?
    package var urls: [String: URLEntryDraft]?

    package struct Condition: Sendable, Hashable {
        package var platform: [String]?
        package var device: [String]?
        package var browser: [String]?
        package var inApp: [String]?
        package var isInApp: Bool?
        package var store: [String]?
        package var language: [String]?
        package var country: [String]?
        /// Values by name; nil: any value.
        package var query: [String: [String]?]?
        package var referrerHost: [String]?
        /// RFC 3339.
        package var after: String?
        /// RFC 3339.
        package var before: String?
        package var percentage: Int?

        package init() {}
    }

    package init() {}
}

extension RuleDraft {
    /// The rule in the form it would be submitted.
    package init(_ rule: Rule) {
        func texts(_ values: [String]) -> [String]? { values.isEmpty ? nil : values }
        let condition = rule.when
        when.platform = texts(condition.platforms.map(\.rawValue))
        when.device = texts(condition.devices.map(\.rawValue))
        when.browser = texts(condition.browsers)
        when.inApp = texts(condition.inApps)
        when.isInApp = condition.isInApp
        when.store = texts(condition.stores.map(\.rawValue))
        when.language = texts(condition.languages)
        when.country = texts(condition.countries)
        if !condition.query.isEmpty {
            when.query = Dictionary(condition.query.map { ($0.name, $0.values) }) { first, _ in first }
        }
        when.referrerHost = texts(
            condition.referrerHosts.map(\.text) + condition.referrerApps.map { ClickField.appPrefix + $0 })
        when.after = condition.after?.rfc3339
        when.before = condition.before?.rfc3339
        when.percentage = condition.percentage
        switch rule.to {
        case .everyone(let entry): url = entry.link.text
        case .platforms(let entries):
            urls = Dictionary(
                entries.map { platform, entry in (platform.rawValue, URLEntryDraft(entry)) }
            ) { first, _ in first }
        }
    }
}

extension RuleDraft.Condition {
    /// The members that are lists of texts, named as in JSON and in the order in which they are written. All others (`query`,
    /// `after`, `before`, `percentage`, and `inApp` as a flag) have a form of their own.
    package static let lists: [(name: StaticString, values: any WritableKeyPath<Self, [String]?> & Sendable)] = [
        ("platform", \.platform), ("device", \.device), ("browser", \.browser), ("inApp", \.inApp), ("store", \.store),
        ("language", \.language), ("country", \.country), ("referrerHost", \.referrerHost),
    ]
}

extension Rule {
    /// The stored rule that a draft was made of, without the checks of a submitted one; nil if a value is unknown or
    /// malformed.
    package init?(stored draft: RuleDraft) {
        func all<Value>(_ texts: [String]?, _ read: (String) -> Value?) -> [Value]? {
            let values = (texts ?? []).compactMap(read)
            return values.count == texts?.count ?? 0 ? values : nil
        }
        func time(_ text: String?) -> Timestamp?? {
            guard let text else { return .some(nil) }
            return Timestamp(rfc3339: text).map { .some($0) }
        }
        var when = RuleCondition()
        let given = draft.when
        let isApp: (String) -> Bool = { $0.hasPrefix(ClickField.appPrefix) }
        guard let platforms = all(given.platform, { Platform(rawValue: $0) }),
            let devices = all(given.device, { Visitor.Device(rawValue: $0) }),
            let stores = all(given.store, { Visitor.Store(rawValue: $0) }),
            let hosts = all(given.referrerHost?.filter { !isApp($0) }, { HostPattern($0) }),
            let after = time(given.after), let before = time(given.before)
        else { return nil }
        when.platforms = platforms
        when.devices = devices
        when.browsers = given.browser ?? []
        when.inApps = given.inApp ?? []
        when.isInApp = given.isInApp
        when.stores = stores
        when.languages = given.language ?? []
        when.countries = given.country ?? []
        when.query = (given.query ?? [:]).sorted { $0.key < $1.key }
            .map { RuleCondition.Parameter(name: $0.key, values: $0.value) }
        when.referrerHosts = hosts
        when.referrerApps = (given.referrerHost ?? []).filter(isApp)
            .map { String($0.dropFirst(ClickField.appPrefix.count)) }
        when.after = after
        when.before = before
        when.percentage = given.percentage
        switch (draft.url, draft.urls) {
        case (let url?, nil):
            guard let link = URLPattern(url) else { return nil }
            self.init(when: when, to: .everyone(URLEntry(link: link, fallback: nil)))
        case (nil, let drafts?):
            var urls: PlatformURLs = [:]
            for (name, draft) in drafts {
                guard let platform = Platform(rawValue: name), let entry = URLEntry(stored: draft) else { return nil }
                urls[platform] = entry
            }
            self.init(when: when, to: .platforms(urls))
        default: return nil
        }
    }
}

extension URLEntry {
    /// The stored entry that a draft was made of; nil if it is malformed.
    package init?(stored draft: URLEntryDraft) {
        guard let link = URLPattern(draft.link) else { return nil }
        switch draft.fallback {
        case nil: self.init(link: link, fallback: nil)
        case "store": self.init(link: link, fallback: .store)
        case "web": self.init(link: link, fallback: .web)
        case let text?:
            guard let url = WebURL(text) else { return nil }
            self.init(link: link, fallback: .url(url))
        }
    }
}

extension URLEntryDraft {
    init(_ entry: URLEntry) {
        self.init(link: entry.link.text, fallback: entry.fallback?.text)
    }
}
