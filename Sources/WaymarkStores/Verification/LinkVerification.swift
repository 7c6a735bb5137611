package import WaymarkLinks

/// Whether a link works. The raw values are stored and never change.
package enum VerificationState: Int64, Sendable, CaseIterable {
    case good = 0
    case broken = 1
    case unknown = 2

    package var name: String {
        switch self {
        case .good: "good"
        case .broken: "broken"
        case .unknown: "unknown"
        }
    }

    package init?(name: String) {
        guard let state = Self.allCases.first(where: { $0.name == name }) else { return nil }
        self = state
    }
}

/// What one walk of a link found.
package struct LinkWalk: Sendable {
    package var link: LinkID
    /// Of the link that was walked.
    package var version: Int
    /// When it began.
    package var at: Timestamp
    package var findings: [VerificationFinding]
    /// URLs that gave no answer, so that the walk says nothing about earlier findings with them.
    package var silent: Set<String>

    package init(
        _ link: LinkID, version: Int, at: Timestamp, findings: [VerificationFinding], silent: Set<String> = []
    ) {
        self.link = link
        self.version = version
        self.at = at
        self.findings = findings
        self.silent = Set(silent.map(VerificationFinding.shortened))
    }
}

/// What the walks of a link have shown so far.
package struct LinkVerification: Sendable, Equatable {
    package var link: LinkID
    package var version: Int
    package var at: Timestamp
    package var state: VerificationState
    package var findings: [VerificationFinding]
    /// When a finding is to be confirmed; nil if none waits for that.
    package var lookAt: Timestamp?
    /// Whether `link.broken` was reported, and `link.mended` was not since.
    package var isAnnounced: Bool

    package init(
        link: LinkID, version: Int, at: Timestamp, state: VerificationState, findings: [VerificationFinding],
        lookAt: Timestamp?, isAnnounced: Bool
    ) {
        self.link = link
        self.version = version
        self.at = at
        self.state = state
        self.findings = findings
        self.lookAt = lookAt
        self.isAnnounced = isAnnounced
    }

    /// The state after another walk. A fault breaks the link once two walks found it, and all walks between them, and the last
    /// began `secondLook` after the end of the first; a change of the link starts from the beginning; one good walk mends it.
    ///
    /// - Parameters:
    ///   - previous: nil before the first walk.
    ///   - now: when the walk has ended.
    ///   - secondLook: in milliseconds.
    package init(_ previous: LinkVerification?, after walk: LinkWalk, at now: Timestamp, secondLook: Int64) {
        let known = previous?.version == walk.version ? previous : nil
        let unanswered = (known?.findings ?? []).filter { fault in
            fault.code.isFault && fault.url.map(walk.silent.contains) == true
                && !walk.findings.contains { $0.isSame(as: fault) }
        }
        var findings = Array((unanswered + walk.findings).prefix(VerificationFinding.limit))
        for index in findings.indices {
            let same = known?.findings.first { $0.isSame(as: findings[index]) }
            // The clock may have been set back during the walk.
            findings[index].since = same?.since ?? max(now, walk.at).rawValue
        }
        // Silence mends nothing, and confirms nothing: a look without an answer comes once more.
        for index in unanswered.indices where index < findings.count {
            let since = findings[index].since
            let wasConfirmed = (known?.at.rawValue ?? since) - since >= secondLook
            if !wasConfirmed, walk.at.rawValue - since >= secondLook { findings[index].since = walk.at.rawValue }
        }
        let faults = findings.filter(\.code.isFault)
        func isConfirmed(_ fault: VerificationFinding) -> Bool { walk.at.rawValue - fault.since >= secondLook }
        self.init(
            link: walk.link, version: walk.version, at: walk.at, state: .good, findings: findings, lookAt: nil,
            isAnnounced: previous?.isAnnounced ?? false)
        if faults.contains(where: isConfirmed) {
            state = .broken
        } else if !faults.isEmpty {
            state = .unknown
        } else if !findings.isEmpty {
            // What can't be known does not mend a link.
            if let known, known.state == .broken {
                state = .broken
                self.findings = known.findings
            } else {
                state = .unknown
            }
        }
        if let first = faults.filter({ !isConfirmed($0) }).map(\.since).min() {
            lookAt = Timestamp(rawValue: first + secondLook)
        }
        switch state {
        case .good: isAnnounced = false
        case .broken: isAnnounced = true
        case .unknown: break
        }
    }

    /// Whether it is of a walk of the same version that began after this one, and had time for all that it asked.
    ///
    /// - Parameter now: what is stored of a later time is from before the clock was set back.
    func isNewer(than walk: LinkWalk, at now: Timestamp) -> Bool {
        version == walk.version && at > walk.at && at <= now && !findings.contains { $0.code == .rateLimited }
    }

    /// The event of the step from the previous state to this one; nil if it has none.
    package func event(after previous: LinkVerification?) -> EventType? {
        switch (previous?.isAnnounced ?? false, isAnnounced) {
        case (false, true): .linkBroken
        case (true, false): .linkMended
        default: nil
        }
    }
}

extension Link {
    /// Whether its verification counts: it is walked, shown, listed and counted only while people can follow the link.
    package func isVerifiable(at now: Timestamp) -> Bool { state(at: now) == .active }
}

/// The verified links of a store, as of their last walks.
package struct VerificationCounts: Sendable, Equatable {
    package var links: [VerificationState: Int] = [:]
    /// Links with at least one finding of the code.
    package var findings: [VerificationFinding.Code: Int] = [:]

    package init() {}
}

/// How far the walk through all links has come.
package struct VerificationRound: Sendable, Equatable {
    package var startedAt: Timestamp
    /// Nil while it runs.
    package var endedAt: Timestamp?
    /// The links up to this one need no walk in this round any more.
    package var lastLink: LinkID

    package init(startedAt: Timestamp, endedAt: Timestamp? = nil, lastLink: LinkID = LinkID(rawValue: 0)) {
        self.startedAt = startedAt
        self.endedAt = endedAt
        self.lastLink = lastLink
    }
}

/// Throws: `StoreError` only.
package protocol VerificationStore: Sendable {
    /// The verifications of links whose version is still the one that was walked, whatever the state of the link.
    func verifications(of links: [LinkID]) async throws(StoreError) -> [LinkID: LinkVerification]
    /// Adds a walk, and the event of a changed state to the outbox, in one transaction. A walk that began before the stored one
    /// changes nothing.
    ///
    /// - Parameters:
    ///   - link: as walked.
    ///   - now: a stored walk that began later than this is replaced: the clock was set back.
    /// - Returns: what is stored now; nil, and nothing is stored, if the link was changed or deleted since.
    @discardableResult
    func add(
        _ walk: LinkWalk, of link: Link, at now: Timestamp, secondLook: Int64
    ) async throws(StoreError) -> LinkVerification?
    /// Links with a finding to confirm, the longest due first.
    func dueLooks(at now: Timestamp, limit: Int) async throws(StoreError) -> [LinkID]
    /// Nobody confirms these findings before the next round: their links are disabled, have expired, or were changed.
    /// Looks that are not due at that time are of later walks, and stay.
    func forgetLooks(of links: [LinkID], dueAt now: Timestamp) async throws(StoreError)
    /// Their hosts have no time before; looks that are not due stay.
    func putOffLooks(of links: [LinkID], dueAt now: Timestamp, until time: Timestamp) async throws(StoreError)
    func verificationRound() async throws(StoreError) -> VerificationRound?
    func store(_ round: VerificationRound) async throws(StoreError)
    /// Of links that were not changed since and are active (`Link.isVerifiable`). Clicks that use up `maxClicks` are seen
    /// after `LinkStore.updateIndexes`.
    func verificationCounts(at now: Timestamp) async throws(StoreError) -> VerificationCounts
    /// Whether this server verifies: one server of a database at a time.
    func holdsVerification() async throws(StoreError) -> Bool
}
