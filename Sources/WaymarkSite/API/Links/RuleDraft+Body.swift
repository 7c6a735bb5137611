import WaymarkAPI
import WaymarkLinks

extension RuleDraft {
    /// The body as a draft, not validated.
    init(_ body: RuleRequest) {
        self.init()
        when.platform = body.when.platform
        when.device = body.when.device
        when.browser = body.when.browser
        when.inApp = body.when.inApp
        when.isInApp = body.when.isInApp
        when.store = body.when.store
        when.language = body.when.language
        when.country = body.when.country
        when.query = body.when.query
        when.referrerHost = body.when.referrerHost
        when.after = body.when.after
        when.before = body.when.before
        when.percentage = body.when.percentage
        switch body.to {
        case .url(let url): self.url = url
        case .urls(let urls):
            self.urls = urls.mapValues { URLEntryDraft(link: $0.link, fallback: $0.fallback) }
        }
    }
}

extension RuleRequest {
    /// A rule as the body that would create it.
    init(_ rule: Rule) {
        let draft = RuleDraft(rule)
        var when = Condition()
        when.platform = draft.when.platform
        when.device = draft.when.device
        when.browser = draft.when.browser
        when.inApp = draft.when.inApp
        when.isInApp = draft.when.isInApp
        when.store = draft.when.store
        when.language = draft.when.language
        when.country = draft.when.country
        when.query = draft.when.query
        when.referrerHost = draft.when.referrerHost
        when.after = draft.when.after
        when.before = draft.when.before
        when.percentage = draft.when.percentage
        if let url = draft.url {
            self.init(when: when, to: .url(url))
        } else {
            self.init(
                when: when, to: .urls((draft.urls ?? [:]).mapValues { URLEntryRequest($0.link, fallback: $0.fallback) })
            )
        }
    }

    /// All URLs that the rule may lead to.
    var destinations: [URLEntryRequest] {
        switch to {
        case .url(let url): [URLEntryRequest(url)]
        case .urls(let urls): Array(urls.values)
        }
    }
}
