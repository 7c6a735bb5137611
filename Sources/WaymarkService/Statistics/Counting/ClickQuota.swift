import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// The clicks that this server may still admit for one link with `maxClicks`: reserved in the store in advance, so
/// that the limit is never exceeded.
///
/// `admitAtOnce` is for event loops: one compare-and-exchange, no lock. If it can't decide, `admit` asks the store.
package final class ClickQuota: Sendable {
    package enum Admission: Sendable, Equatable {
        case admitted
        /// No click is left under the limit.
        case exhausted
        /// The link was changed or deleted meanwhile and must be reloaded.
        case changed
    }

    private struct Reservation {
        var isRunning = false
        var waiting: [CheckedContinuation<Result<Void, StoreError>, Never>] = []
    }

    private static let retiredMark = -1
    /// How long to wait before asking the store again after it had no clicks left; other servers may return some.
    private static let exhaustionMilliseconds: Int64 = 1_000
    private static let largestBlock = 256

    let id: LinkID
    let limit: Int
    private let owner: ClickQuotas
    /// Reserved but unused clicks; `retiredMark` once none may be taken any more.
    private let available = Atomic<Int>(0)
    /// The clicks that can still be reserved, as far as this server knows; other servers reduce it.
    private let remaining: Atomic<Int>
    private let exhaustedUntil: Atomic<Int64>
    /// Until when the store need not be asked for clicks that use up nothing.
    private let checkedUntil = Atomic<Int64>(0)
    private let reservation = Mutex(Reservation())
    /// A request that the store has not answered, to be repeated unchanged. Taken out while it is being sent.
    private let unsettled = Mutex<UnsettledClicks?>(nil)

    init(for link: Link, limit: Int, owner: ClickQuotas) {
        id = link.id
        self.limit = limit
        self.owner = owner
        remaining = Atomic(max(0, limit - link.takenClicks))
        exhaustedUntil = Atomic(0)
    }

    deinit {
        owner.release(
            ObjectIdentifier(self), of: id, leftover: max(0, available.load(ordering: .acquiring)),
            unsettled: unsettled.withLock { $0 })
    }

    /// Whether no click is left as far as this server knows: the state for visits that don't count.
    package var isExhausted: Bool {
        available.load(ordering: .acquiring) <= 0 && remaining.load(ordering: .acquiring) <= 0
    }

    /// Takes one of the reserved clicks; false if there is none.
    package func take() -> Bool {
        var count = available.load(ordering: .relaxed)
        while count > 0 {
            let (exchanged, original) = available.weakCompareExchange(
                expected: count, desired: count - 1, ordering: .acquiringAndReleasing)
            if exchanged { return true }
            count = original
        }
        return false
    }

    /// Returns the reserved clicks to the store with the next flush; further visits reserve others.
    func giveBack() {
        var count = available.load(ordering: .relaxed)
        while count > 0 {
            let (exchanged, original) = available.weakCompareExchange(
                expected: count, desired: 0, ordering: .acquiringAndReleasing)
            if exchanged {
                remaining.wrappingAdd(count, ordering: .acquiringAndReleasing)
                owner.keepLeftover(count, of: id)
                return
            }
            count = original
        }
    }

    /// For event loops: takes a click, or returns why there is none; nil if only the store can decide, with `admit`.
    package func admitAtOnce(at now: Timestamp) -> Admission? {
        if take() { return .admitted }
        if isRetired { return .changed }
        return exhaustedUntil.load(ordering: .acquiring) > now.rawValue ? .exhausted : nil
    }

    /// Takes one click, from the store if none is reserved. If there are several concurrent visits, one asks for all.
    package func admit() async throws(StoreError) -> Admission {
        while true {
            if let admission = admitAtOnce(at: owner.now()) { return admission }
            if let earlier = await waitForOther() {
                try earlier.get()
                continue
            }
            return try await reserve()
        }
    }

    /// For clicks that use up nothing: whether one is left, as far as the store said within the last second.
    package func check() async throws(StoreError) -> Admission {
        if isRetired { return .changed }
        if available.load(ordering: .acquiring) > 0 { return .admitted }
        let now = owner.now().rawValue
        if exhaustedUntil.load(ordering: .acquiring) > now { return .exhausted }
        if checkedUntil.load(ordering: .acquiring) > now { return .admitted }
        let link = try await owner.link(id)
        if link?.content.maxClicks == limit, let link, link.takenClicks < limit {
            checkedUntil.store(now + Self.exhaustionMilliseconds, ordering: .releasing)
            return .admitted
        }
        exhaustedUntil.store(now + Self.exhaustionMilliseconds, ordering: .releasing)
        return .exhausted
    }

    /// Ends the quota; returns its remaining clicks, and those that the store may have reserved.
    func revoke() -> (leftover: Int, unsettled: UnsettledClicks?) {
        let leftover = max(0, available.exchange(Self.retiredMark, ordering: .acquiringAndReleasing))
        return (leftover, unsettled.withLock { $0.take() })
    }

    private var isRetired: Bool { available.load(ordering: .acquiring) == Self.retiredMark }

    /// Nil: nobody else is asking the store, so the caller has to.
    private func waitForOther() async -> Result<Void, StoreError>? {
        let leads = reservation.withLock { state in
            if state.isRunning { return false }
            state.isRunning = true
            return true
        }
        if leads { return nil }
        return await withCheckedContinuation { continuation in
            let ended = reservation.withLock { state in
                guard state.isRunning else { return true }
                state.waiting.append(continuation)
                return false
            }
            if ended { continuation.resume(returning: .success(())) }
        }
    }

    private func reserve() async throws(StoreError) -> Admission {
        let asked = unsettled.withLock { $0.take() } ?? owner.reservation(of: id, upTo: blockSize)
        do {
            let granted = try await owner.reserve(asked)
            let admission = await settle(granted)
            finish(.success(()))
            return admission
        } catch {
            unsettled.withLock { $0 = asked }
            // Retired while the request was running: nobody will ask here again.
            if isRetired, let asked = unsettled.withLock({ $0.take() }) { owner.keep(asked) }
            finish(.failure(error))
            throw error
        }
    }

    /// A 64th of the remaining clicks, so that several servers share the last ones fairly and a crash wastes few;
    /// more if more visits are waiting.
    private var blockSize: Int {
        let waiting = reservation.withLock { $0.waiting.count }
        let share = max(1, remaining.load(ordering: .acquiring) / 64)
        return min(Self.largestBlock, max(share, waiting + 1))
    }

    private func settle(_ granted: Int) async -> Admission {
        guard granted > 0 else {
            remaining.store(0, ordering: .releasing)
            exhaustedUntil.store(owner.now().rawValue + Self.exhaustionMilliseconds, ordering: .releasing)
            return isRetired ? .changed : .exhausted
        }
        // Clicks returned by another server may exceed the number assumed to be left.
        remaining.store(max(0, remaining.load(ordering: .relaxed) - granted), ordering: .releasing)
        var count = available.load(ordering: .relaxed)
        while count != Self.retiredMark {
            let (exchanged, original) = available.weakCompareExchange(
                expected: count, desired: count + granted - 1, ordering: .acquiringAndReleasing)
            if exchanged { return .admitted }
            count = original
        }
        // Retired while the request was running: the granted clicks go to the next quota.
        owner.keepLeftover(granted, of: id)
        await owner.releaseLeftovers()
        return .changed
    }

    private func finish(_ result: Result<Void, StoreError>) {
        let waiting = reservation.withLock { state in
            defer { state = Reservation() }
            return state.waiting
        }
        for continuation in waiting { continuation.resume(returning: result) }
    }
}
