/// A destination for visitors of whom something holds. Of a list of rules the first that matches wins; a link's come before
/// its application's, and both before the URLs for platforms.
package struct Rule: Sendable, Equatable {
    package var when: RuleCondition
    package var to: Target

    package enum Target: Sendable, Equatable {
        /// One http(s) URL for every platform.
        case everyone(URLEntry)
        /// As the `urls` of a link; a platform that it gives nothing goes on to the next rule.
        case platforms(PlatformURLs)
    }

    package init(when: RuleCondition, to: Target) {
        self.when = when
        self.to = to
    }

    /// The entry for a platform; nil where there is none.
    ///
    /// - Parameter application: what it does not permit is as if it were not there; nil permits all.
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

    /// The page for visitors of the rule who do not have the app.
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

    /// How many rules one link or application may have.
    package static let limit = 50
    /// How many values one condition may name.
    package static let valueLimit = 250
    /// How many values all rules of a link, or of an application, have together: a visit may be compared with each.
    package static let valueLimitOfAll = 1_000
}
