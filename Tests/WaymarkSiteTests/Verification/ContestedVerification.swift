import WaymarkLinks
import WaymarkStores

/// A verification that another server of the database may have taken over.
struct ContestedVerification: VerificationStore {
    let inner: any VerificationStore
    let isHeld: Bool

    func holdsVerification() async throws(StoreError) -> Bool { isHeld }

    func verifications(of links: [LinkID]) async throws(StoreError) -> [LinkID: LinkVerification] {
        try await inner.verifications(of: links)
    }

    func add(
        _ walk: LinkWalk, of link: Link, at now: Timestamp, secondLook: Int64
    ) async throws(StoreError) -> LinkVerification? {
        try await inner.add(walk, of: link, at: now, secondLook: secondLook)
    }

    func dueLooks(at now: Timestamp, limit: Int) async throws(StoreError) -> [LinkID] {
        try await inner.dueLooks(at: now, limit: limit)
    }

    func forgetLooks(of links: [LinkID], dueAt now: Timestamp) async throws(StoreError) {
        try await inner.forgetLooks(of: links, dueAt: now)
    }

    func putOffLooks(of links: [LinkID], dueAt now: Timestamp, until time: Timestamp) async throws(StoreError) {
        try await inner.putOffLooks(of: links, dueAt: now, until: time)
    }

    func verificationRound() async throws(StoreError) -> VerificationRound? { try await inner.verificationRound() }

    func store(_ round: VerificationRound) async throws(StoreError) { try await inner.store(round) }

    func verificationCounts(at now: Timestamp) async throws(StoreError) -> VerificationCounts {
        try await inner.verificationCounts(at: now)
    }
}
