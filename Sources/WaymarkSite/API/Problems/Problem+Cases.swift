import WaymarkAPI
import WaymarkLinks
import WaymarkStores

/// Problems that several handlers answer with.
extension Problem {
    static let linkUnknown = Problem(.linkUnknown, "No link stands there, or none that this key may see.")

    /// What visitors of a host are told.
    static let hostUnserved = Problem(.hostUnknown, "No application has this host.")
    static let slugUnknown = Problem(.linkUnknown, "No link has this slug.")

    /// A link that exists and can't be used now; nil for one that can.
    init?(_ state: LinkState) {
        switch state {
        case .active: return nil
        case .scheduled: self.init(.linkScheduled, "The link becomes valid later.")
        case .expired: self.init(.linkExpired, "The link's time is over.")
        case .exhausted: self.init(.linkExhausted, "The link has had all the clicks it may have.")
        case .disabled: self.init(.linkDisabled, "The link was switched off.")
        }
    }

    static let idempotencyMismatch = Problem(
        .idempotencyMismatch, "This Idempotency-Key came with another body before.",
        errors: [FieldProblem(field: "Idempotency-Key", problem: "was used with another body within the last 24 hours")]
    )

    static func versionMismatch(current: Int?) -> Problem {
        Problem(
            .versionMismatch,
            current.map { "The current ETag is \"\($0)\"." } ?? "There is nothing here yet, so no If-Match can hold.")
    }

    /// The connection may have been lost while the store committed, so no word on whether it did.
    static let storeAway = Problem(
        .storeUnavailable,
        "The store can't be reached right now. Send the same again, with an Idempotency-Key where it must not count twice."
    )

    /// What a store that failed is answered with. Its sentence is for the log: it may name files and hosts.
    init(_ error: StoreError) {
        switch error {
        case .unavailable: self = .storeAway
        case .corrupt: self.init(.internalError, "The store holds something that this version can't read.")
        }
    }
}
