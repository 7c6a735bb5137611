import WaymarkLinks
import WaymarkStores

extension LinkService {
    /// The rule by which a click was led on, with the name that it had then; nil if none was, or if it is not known any
    /// more.
    ///
    /// - Parameter longLink: if the click was one on a long link.
    func rule(
        of click: ClickID.Content, on longLink: CachedLink? = nil, _ search: inout ClickRuleNames
    ) async throws(StoreError) -> ClickedRule? {
        guard click.rule != .none else { return nil }
        let question = ClickRuleNames.Question(link: click.link, day: click.at.day, mark: click.rule)
        if longLink == nil, let known = search.known[question] {
            return known.map { ClickedRule($0, isVariant: click.rule.isVariant) }
        }
        let link: Link
        if let longLink {
            link = longLink.link
        } else {
            guard let stored = try await store.link(click.link) else { return nil }
            link = stored
        }
        guard let served = applications.directory.current.application(link.application) else { return nil }
        var text = click.rule.text(link, served.application)
        if longLink == nil {
            // The rule has been changed since: the day's records have its name.
            if text == nil { text = try await recordedName(question, &search) }
            search.known[question] = .some(text)
        }
        return text.map { ClickedRule($0, isVariant: click.rule.isVariant) }
    }

    private func recordedName(
        _ question: ClickRuleNames.Question, _ search: inout ClickRuleNames
    ) async throws(StoreError) -> String? {
        var last: ClickBlock.Key?
        while search.pages > 0 {
            if last == nil { try await flushWaitingRecords() }
            search.pages -= 1
            let blocks = try await store.clickRecords.blocks(
                of: question.link, days: question.day...question.day, after: last, limit: ClickRuleNames.page)
            for profile in blocks.lazy.compactMap(\.profiles).joined() {
                if let text = profile[.rule], text != ClickField.rest, question.mark.fits(text) { return text }
            }
            guard blocks.count == ClickRuleNames.page else { return nil }
            last = blocks.last?.key
        }
        return nil
    }
}

/// The names of rules that one request has asked for, and how much it may still search for those of others.
struct ClickRuleNames {
    struct Question: Hashable {
        var link: LinkID
        var day: Int
        var mark: ClickRuleMark
    }

    var known: [Question: String?] = [:]
    /// Of blocks, which a request may read.
    var pages = 10
    static let page = 100
}
