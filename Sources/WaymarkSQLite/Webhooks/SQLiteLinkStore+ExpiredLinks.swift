internal import GRDB
package import WaymarkLinks
package import WaymarkStores

extension SQLiteLinkStore {
    /// Always: no other server uses the file.
    package func holdsDispatch() async throws(StoreError) -> Bool { true }

    package func holdsVerification() async throws(StoreError) -> Bool { true }

    package func reportExpiredLinks(at now: Timestamp, limit: Int) async throws(StoreError) -> Bool {
        try await write { try $0.reportExpiredLinks(at: now, limit: limit) }
    }
}

extension WriteSession {
    fileprivate func reportExpiredLinks(at now: Timestamp, limit: Int) throws -> Bool {
        let last = try database.row("SELECT expires_at, link FROM expiry_report", []) {
            (end: try $0.number(0), link: try $0.number(1))
        }
        guard try subscriptions().includes(.linkExpired) else {
            // Links that expire meanwhile are not reported when there is a subscriber again.
            if last != nil { try database.run("DELETE FROM expiry_report") }
            return false
        }
        guard let last else {
            try database.run(ExpiryRows.saveExpiryReport, [now.rawValue, Int64.max])
            return false
        }
        let expired = try database.rows(ExpiryRows.expired, [last.end, last.link, now.rawValue, limit]) {
            (end: try $0.number(0), link: try $0.number(1))
        }
        for (end, id) in expired {
            guard let link = try database.readableLink(LinkID(rawValue: id)) else { continue }
            try report(.linkExpired, link, at: Timestamp(rawValue: end), [])
        }
        guard let next = expired.last else { return false }
        try database.run(ExpiryRows.saveExpiryReport, [next.end, next.link])
        return expired.count == limit
    }
}

private enum ExpiryRows {
    static let saveExpiryReport = "INSERT OR REPLACE INTO expiry_report (one, expires_at, link) VALUES (1, ?, ?)"
    static let expired = """
        SELECT expires_at, link FROM link_expiry WHERE (expires_at, link) > (?, ?) AND expires_at <= ?
        ORDER BY expires_at, link LIMIT ?
        """
}
