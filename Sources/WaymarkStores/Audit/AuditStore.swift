package import WaymarkLinks

/// The audit of a database: a part of `LinkStore`. Changes write their entries themselves, each in its own transaction.
///
/// Throws: `StoreError` only.
package protocol AuditStore: Sendable {
    /// A page of entries, the newest first.
    func auditEntries(_ query: AuditQuery) async throws(StoreError) -> AuditPage
    /// Adds an entry of no other change, such as a refused sign-in.
    func record(_ entry: AuditEntry) async throws(StoreError)
    /// Deletes entries from before the time, at most `limit`; returns their number.
    func purgeAudit(before time: Timestamp, limit: Int) async throws(StoreError) -> Int
}

package struct AuditQuery: Sendable, Equatable {
    /// Nil: of all, and those of no single application.
    package var applications: [ApplicationID]?
    package var person: String?
    package var key: String?
    /// An action, or a group of them with a full stop at the end, such as `link.`.
    package var action: String?
    package var from: Timestamp?
    /// The first time after those asked for.
    package var to: Timestamp?
    package var after: AuditPosition?
    package var limit: Int

    package init(limit: Int) { self.limit = limit }

    /// Entries that one page examines.
    package static let examined = 10_000
    /// The same with one statement.
    static let examinedAtOnce = 500
}

/// Where a page ends.
package struct AuditPosition: Sendable, Equatable {
    package var at: Timestamp
    package var number: Int64

    package init(at: Timestamp, number: Int64) {
        self.at = at
        self.number = number
    }
}

package struct AuditPage: Sendable, Equatable {
    /// Each as one JSON object.
    package var entries: [[UInt8]] = []
    /// Nil at the end. A page may have fewer entries than the limit, and even none, before it.
    package var next: AuditPosition?

    package init() {}
}
