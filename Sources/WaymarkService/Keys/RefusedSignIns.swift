import Logging
import Synchronization
import WaymarkLinks
package import WaymarkStores

/// Writes refused sign-ins to the audit. Anybody can cause them, so of each minute only the first ones have an entry; how many
/// came after them is one more.
package final class RefusedSignIns: Sendable {
    /// Entries of one subscriber in a minute.
    static let subscriberLimit = 5
    /// Entries in a minute.
    static let limit = 60

    fileprivate struct State {
        var minute: Int64 = .min
        var entries = 0
        var subscribers: [String: Int] = [:]
        var further = 0
    }

    private let store: any LinkStore
    private let now: @Sendable () -> Timestamp
    private let logger: Logger
    private let state = Mutex(State())

    init(store: any LinkStore, now: @escaping @Sendable () -> Timestamp, logger: Logger) {
        self.store = store
        self.now = now
        self.logger = logger
    }

    /// - Parameters:
    ///   - reason: of this program, not of the request.
    ///   - subscriber: who is counted; not stored.
    package func note(_ reason: String, from address: AuditAddress?, subscriber: String) async {
        let now = now()
        let (former, isWritten) = state.withLock { state in
            let former = state.begin(now)
            let own = state.subscribers[subscriber, default: 0]
            guard state.entries < Self.limit, own < Self.subscriberLimit else {
                state.further += 1
                return (former, false)
            }
            state.entries += 1
            state.subscribers[subscriber] = own + 1
            return (former, true)
        }
        await write(former, now)
        guard isWritten else { return }
        var values = AuditValues()
        values.add("reason", reason)
        await write(values, from: address, now)
    }

    /// Writes how many had no entry in a minute that is over.
    func settle() async {
        let now = now()
        await write(state.withLock { $0.begin(now) }, now)
    }

    private func write(_ further: Int, _ now: Timestamp) async {
        guard further > 0 else { return }
        var values = AuditValues()
        values.add("further", further)
        await write(values, from: nil, now)
    }

    private func write(_ values: AuditValues, from address: AuditAddress?, _ now: Timestamp) async {
        let call = AuditCall(AuditActor(.signIn), from: address, at: now)
        do {
            try await store.audit.record(
                AuditEntry(.sessionRefused, AuditObject(.session, nil), of: nil, by: call, after: values.json))
        } catch {
            logger.warning("a refused sign-in is not in the audit: \(error.sentence)")
        }
    }
}

extension RefusedSignIns.State {
    /// - Returns: How many of the minute before had no entry.
    fileprivate mutating func begin(_ now: Timestamp) -> Int {
        let minute = now.rawValue / 60_000
        guard minute != self.minute else { return 0 }
        defer { self = Self(minute: minute) }
        return further
    }
}
