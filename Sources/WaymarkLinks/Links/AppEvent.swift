/// An event reported by an app, in the form that stores count: it was opened or installed.
package struct AppEvent: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable { case open, install }

    /// A digest of the event's ID and its owner: an event is counted once.
    package var digest: [UInt8]
    package var kind: Kind
    /// The link it is counted for, if known.
    package var link: LinkID?
    /// Only links of this application are counted; nil: of any.
    package var application: ApplicationID?
    /// Until when the same digest is treated as the same event.
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

    /// Whether the event counts for links of this application.
    package func counts(for application: ApplicationID) -> Bool {
        self.application == nil || self.application == application
    }
}

/// The result of one event; none should be sent again.
package enum EventOutcome: String, Sendable, CaseIterable {
    /// Counted for a link.
    case counted
    /// It names no link, or none of its application.
    case unattributed
    /// It had already been recorded.
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
