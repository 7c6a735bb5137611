import WaymarkAPI

/// Keeps links from their arrival until their target has run. Every change is stored when a call returns.
///
/// Links other than the installation's have numbers in the order in which they began: an answer that comes
/// after a later link is not kept, because that link has taken the place.
final class KeptLinkStore: Sendable {
    private struct Numbers {
        var last = 0
        /// The number of the link in the storage; nil if it is one of an earlier process.
        var stored: Int?
        /// The number of the last link that was recorded as opened; it may be recorded before its answer comes.
        var recorded: Int?
    }

    private let state: StoredState<KeptLinks>
    private let clock: any ClientClock
    private let numbers = LockedValue(Numbers())

    init(storage: any ClientStorage, clock: any ClientClock) {
        state = StoredState(storage)
        self.clock = clock
    }

    private var now: Int { clock.now.wholeSeconds }

    func begin() -> KeptReference {
        numbers.withLock { numbers in
            numbers.last += 1
            return KeptReference(store: self, place: .current(numbers.last))
        }
    }

    // MARK: Keeping

    func keepInstallation(_ claim: ClaimResponse, clickID: String?) {
        guard let match = claim.method else { return }
        var link = KeptLink(answer: claim.resolved, at: now)
        link.match = match
        link.clickID = clickID
        state.update { $0.installation = link }
    }

    /// Keeps an answer.
    ///
    /// - Returns: the answer. If the same link was kept with metadata that the service gives no more, it has
    ///   them again: the person taps the link a second time before it was shown.
    func keep(_ answer: ResolveResponse, of url: String?, as reference: KeptReference) -> ResolveResponse {
        store(reference, otherwise: answer) { links, isRecorded in
            var link = KeptLink(url: url, answer: answer, at: now)
            link.isRecorded = isRecorded
            if let earlier = links.current, earlier.url == url, earlier.isWaiting(now: now) {
                link.at = earlier.at
                if answer.metadata == nil, answer.redeem.status == "exhausted" {
                    link.isRecorded = isRecorded || earlier.isRecorded
                    link.answer?.metadata = earlier.answer?.metadata
                }
            }
            links.current = link
            return link.answer ?? answer
        }
    }

    /// Keeps a link without an answer.
    ///
    /// - Returns: whether it was kept: no later link has taken its place.
    func keep(_ url: String, error: String?, isRecorded: Bool, as reference: KeptReference) -> Bool {
        store(reference, otherwise: false) { links, _ in
            var link = KeptLink(url: url, error: error, at: now)
            if let earlier = links.current, earlier.url == url {
                // Held back with an answer, or failed again.
                link.answer = earlier.answer
                link.at = earlier.at
                link.starts = earlier.starts
            }
            link.isRecorded = isRecorded
            links.current = link
            return true
        }
    }

    /// - Parameter change: is told whether the link was recorded as opened.
    private func store<Result: Sendable>(
        _ reference: KeptReference, otherwise: Result, _ change: (inout KeptLinks, _ isRecorded: Bool) -> Result
    ) -> Result {
        guard case .current(let number) = reference.place else { return otherwise }
        return numbers.withLock { numbers in
            guard number >= numbers.stored ?? 0 else { return otherwise }
            numbers.stored = number
            return state.update { change(&$0, numbers.recorded == number) }
        }
    }

    // MARK: Changes

    /// A link has become the current one: a kept one with another URL is removed, unless it is the installation's,
    /// which has its own place.
    func replace(with reference: KeptReference, url: String?) {
        numbers.withLock { numbers in
            guard case .current(let number) = reference.place else {
                // Answers to links that began before come too late.
                numbers.last += 1
                numbers.stored = numbers.last
                return
            }
            guard numbers.stored != number else { return }
            numbers.stored = number
            state.update { links in
                if links.current?.url != url { links.current = nil }
            }
        }
    }

    /// - Returns: whether it is to be recorded: the opening of an earlier tap of the same link was not.
    func noteRecorded(_ reference: KeptReference) -> Bool {
        if case .current(let number) = reference.place { numbers.withLock { $0.recorded = number } }
        var isFirst = true
        change(reference) { link in
            isFirst = link?.isRecorded != true
            link?.isRecorded = true
        }
        return isFirst
    }

    /// The target is about to run.
    func noteStart(_ reference: KeptReference) {
        change(reference) { $0?.starts += 1 }
    }

    /// The target has run.
    ///
    /// - Parameter hadMetadata: whether the target had the link's metadata. If not, a link stays whose metadata
    ///   came during the run or with an earlier tap. Default: true.
    func discard(_ reference: KeptReference, hadMetadata: Bool = true) {
        change(reference) { link in
            switch reference.place {
            case .installation:
                link?.answer?.metadata = nil
                link?.isOpened = true
            case .current:
                if hadMetadata || link?.answer?.metadata == nil { link = nil } else { link?.starts = 0 }
            }
        }
    }

    /// The service has refused a link for good. An answer that came before is still to be shown.
    func dropUnanswered(_ url: String) {
        state.update { links in
            if let link = links.current, link.url == url, link.answer == nil { links.current = nil }
        }
    }

    private func change(_ reference: KeptReference, _ change: (inout KeptLink?) -> Void) {
        switch reference.place {
        case .installation: state.update { change(&$0.installation) }
        case .current(let number):
            numbers.withLock { numbers in
                guard numbers.stored == number else { return }
                state.update { change(&$0.current) }
            }
        }
    }

    // MARK: Giving again

    /// The link of the installation; without its metadata once it was opened, or after 30 days.
    var installation: KeptLink? {
        let now = now
        return state.update { links in
            // A clock that was ahead must not keep the link for longer.
            if let at = links.installation?.at, at > now { links.installation?.at = now }
            if let link = links.installation, !link.isWaiting(now: now) {
                links.installation?.answer?.metadata = nil
            }
            return links.installation
        }
    }

    /// The link of the installation if it was not shown.
    func waitingInstallation() -> (link: KeptLink, reference: KeptReference)? {
        guard let link = installation, link.isWaiting(now: now) else { return nil }
        return (link, KeptReference(store: self, place: .installation))
    }

    /// The last other link if it has this URL and an answer, and was not shown.
    func answeredLink(_ url: String) -> KeptLink? {
        let now = now
        let link = state.update { $0.current }
        return link?.url == url && link?.answer != nil && link?.isWaiting(now: now) == true ? link : nil
    }

    /// Gives a link the place that it had, whatever has come since.
    func putBack(_ link: KeptLink) -> KeptReference {
        numbers.withLock { numbers in
            numbers.last += 1
            numbers.stored = numbers.last
            state.update { $0.current = link }
            return KeptReference(store: self, place: .current(numbers.last))
        }
    }

    /// The last other link if it was not shown, with a number of this process.
    func waitingLink() -> (link: KeptLink, reference: KeptReference)? {
        let now = now
        return numbers.withLock { numbers in
            let link = state.update { links in
                if let at = links.current?.at, at > now { links.current?.at = now }
                if links.current?.isWaiting(now: now) == false { links.current = nil }
                return links.current
            }
            guard let link else { return nil }
            numbers.last += 1
            numbers.stored = numbers.last
            return (link, KeptReference(store: self, place: .current(numbers.last)))
        }
    }
}
