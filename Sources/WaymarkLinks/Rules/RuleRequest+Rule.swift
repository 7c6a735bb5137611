package import WaymarkAPI

extension RuleRequest {
    /// The rule in the form it would be submitted.
    package init(_ rule: Rule) {
        let to: Target =
            switch rule.to {
            case .everyone(let entry): .url(entry.link.text)
            case .platforms(let entries): .urls(entries.requests)
            }
        self.init(name: rule.name, to: to)
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
    }
}

extension Rule {
    /// The stored rule that a request was made of, without the checks of a submitted one; nil if a value is unknown or
    /// malformed.
    package init?(stored draft: RuleRequest) {
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
        switch draft.to {
        case .url(let url):
            guard let link = URLPattern(url) else { return nil }
            self.init(name: draft.name, when: when, to: .everyone(URLEntry(link: link, fallback: nil)))
        case .urls(let drafts):
            var urls: PlatformURLs = [:]
            for (name, draft) in drafts {
                guard let platform = Platform(rawValue: name), let entry = URLEntry(stored: draft) else { return nil }
                urls[platform] = entry
            }
            self.init(name: draft.name, when: when, to: .platforms(urls))
        }
    }
}

extension URLEntry {
    /// The stored entry that a request was made of; nil if it is malformed.
    package init?(stored draft: URLEntryRequest) {
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

extension URLEntryRequest {
    package init(_ entry: URLEntry) {
        self.init(entry.link.text, fallback: entry.fallback?.text)
    }
}

extension PlatformURLs {
    /// The entries by platform name.
    package var requests: [String: URLEntryRequest] {
        var requests: [String: URLEntryRequest] = [:]
        for (platform, entry) in self { requests[platform.rawValue] = URLEntryRequest(entry) }
        return requests
    }
}
