/// A destination for visitors that match a condition. The first matching rule of a list wins; a link's rules precede
/// its application's, and both precede platform URLs.
package struct Rule: Sendable, Equatable {
    /// For statistics; nil: its number, from 1.
    package var name: String?
    package var when: RuleCondition
    package var to: Target

    package enum Target: Sendable, Equatable {
        /// One http(s) URL for every platform.
        case everyone(URLEntry)
        /// Like the `urls` of a link; a platform without an entry continues with the next rule.
        case platforms(PlatformURLs)
    }

    package init(name: String? = nil, when: RuleCondition, to: Target) {
        self.name = name
        self.when = when
        self.to = to
    }

    /// Whether statistics compare it with others by its name.
    var isVariant: Bool { name != nil && when.percentage != nil }

    /// The entry for a platform; nil if there is none.
    ///
    /// - Parameter application: entries that it does not permit are ignored; nil permits all.
    func entry(for platform: Platform, opensApps: Bool, permittedBy application: Application? = nil) -> URLEntry? {
        switch to {
        case .everyone(let entry): return application?.permits(entry) == false ? nil : entry
        case .platforms(let urls):
            for platform in platform.lookupOrder + [.web] {
                guard let entry = urls[platform], opensApps || entry.link.isWeb,
                    application?.permits(entry) != false
                else {
                    continue
                }
                return entry
            }
            return nil
        }
    }

    /// The page for the rule's visitors without the app.
    func web(permittedBy application: Application) -> URLEntry? {
        guard case .platforms(let urls) = to, let entry = urls[.web], application.permits(entry) else { return nil }
        return entry
    }

    package var entries: [URLEntry] {
        switch to {
        case .everyone(let entry): [entry]
        case .platforms(let urls): Array(urls.values)
        }
    }

    /// Maximum length of a name in characters (Unicode scalars).
    package static let nameLimit = 64
    /// Maximum number of rules of a link or application.
    package static let limit = 50
    /// Maximum number of values of a condition.
    package static let valueLimit = 250
    /// Maximum number of values of all rules of a link or application: a visit may be compared with each.
    package static let valueLimitOfAll = 1_000
}
