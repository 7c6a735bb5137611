package import WaymarkLinks

/// The programs that act for people, and what they may do. A grant ends in the transaction that ends its person's access or deletes
/// its key.
package protocol OAuthStore: Sendable {
    func client(_ id: String) async throws(StoreError) -> OAuthClient?

    /// Adds a client, and first deletes those that nobody needs any more.
    ///
    /// - Returns: false if there are as many as may be, and none that may give way.
    func insert(_ client: OAuthClient, _ bounds: OAuthClientBounds) async throws(StoreError) -> Bool

    /// All of them, also those that have expired, by ID.
    func grants() async throws(StoreError) -> [OAuthGrant]

    func grant(_ id: String) async throws(StoreError) -> OAuthGrant?

    /// What a person or key let programs do, the newest first; also what has expired.
    func programs(of owner: String) async throws(StoreError) -> [GrantedProgram]

    /// Ends a grant of a person or key, with an entry in the audit.
    ///
    /// - Returns: false if there is none.
    func endGrant(_ id: String, of owner: String) async throws(StoreError) -> Bool

    /// Adds a grant, deletes those that have expired by its creation, and the oldest of the same owner beyond the limit.
    ///
    /// - Returns: false if the client is gone, or the owner is gone or disabled.
    func insert(_ grant: OAuthGrant, limit: Int) async throws(StoreError) -> Bool

    /// Changes a grant as stored, in one transaction.
    ///
    /// - Parameter decide: runs again if the store repeats the transaction.
    /// - Returns: nil if there is none.
    func changeGrant<Answer: Sendable>(
        _ id: String, _ decide: @escaping @Sendable (OAuthGrant) -> (OAuthGrantChange, Answer)
    ) async throws(StoreError) -> Answer?
}

package enum OAuthGrantChange: Sendable {
    case keep, end
    case replace(OAuthGrant)
}

/// Which clients give way to a new one.
package struct OAuthClientBounds: Sendable {
    package var limit: Int
    /// Those that nobody ever let act, from before.
    package var unusedSince: Timestamp
    /// Those without a grant that somebody let act last before.
    package var usedBefore: Timestamp
    /// Where there are `limit`: the oldest of those that nobody ever let act, if it is from before.
    package var replaceableSince: Timestamp

    package init(limit: Int, unusedSince: Timestamp, usedBefore: Timestamp, replaceableSince: Timestamp) {
        self.limit = limit
        self.unusedSince = unusedSince
        self.usedBefore = usedBefore
        self.replaceableSince = replaceableSince
    }
}
