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

extension URLEntryDraft {
    init(_ entry: URLEntry) {
        self.init(link: entry.link.text, fallback: entry.fallback?.text)
    }
}
