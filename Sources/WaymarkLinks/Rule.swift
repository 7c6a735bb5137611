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

    /// The entry for a platform, and under which platform's name it stands; nil where there is none.
    func entry(for platform: Platform, opensApps: Bool) -> URLEntry? {
        switch to {
        case .everyone(let entry): return entry
        case .platforms(let urls):
            for platform in platform.lookupOrder + [.web] {
                guard let entry = urls[platform], opensApps || entry.link.isWeb else { continue }
                return entry
            }
            return nil
        }
    }

    /// The page for visitors of the rule who do not have the app.
    var web: URLEntry? {
        guard case .platforms(let urls) = to else { return nil }
        return urls[.web]
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
}
