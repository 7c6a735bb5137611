/// What an app reports of itself, in the form that stores count: that it was opened, or installed.
package struct AppEvent: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case open, install }

    /// A digest of the event's own id and of whose id it is: an event is counted once.
    package var digest: [UInt8]
    package var kind: Kind
    /// What it is counted for, where it says.
    package var link: LinkID?
    /// Only links of this application are counted for; nil: of any.
    package var application: ApplicationID?
    /// Until when the same digest is the same event.
    package var expiresAt: Timestamp

    package init(
        digest: [UInt8], kind: Kind, link: LinkID?, application: ApplicationID?, expiresAt: Timestamp
    ) {
        self.digest = digest
        self.kind = kind
        self.link = link
        self.application = application
        self.expiresAt = expiresAt
    }

    /// Whether the event counts for that link.
    package func counts(for link: Link) -> Bool { application == nil || application == link.application }
}

/// What became of one event; none of them is worth sending again.
package enum EventOutcome: String, Sendable, CaseIterable {
    /// For a link.
    case counted
    /// It names no link, or none that its application has.
    case unattributed
    /// It was there before.
    case duplicate
}

/// The events of one link.
package struct EventCounts: Sendable, Equatable {
    package var opens: Int
    package var installs: Int

    package init(opens: Int = 0, installs: Int = 0) {
        self.opens = opens
        self.installs = installs
    }

    package mutating func add(_ kind: AppEvent.Kind) {
        switch kind {
        case .open: opens = opens == .max ? .max : opens + 1
        case .install: installs = installs == .max ? .max : installs + 1
        }
    }
}
