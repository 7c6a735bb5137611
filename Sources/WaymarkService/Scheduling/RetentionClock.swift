import Synchronization
import WaymarkLinks
import WaymarkStores

/// The time by which the server deletes what is old.
///
/// Nothing else that the server does by itself can't be undone, and the clock of a machine may be wrong. So this time
/// follows the clock by one day at once; a clock further ahead of the last deletion, whose day the store keeps, has to
/// agree with the monotonic clock for an hour for each day (docs/decisions/2026-11-26-retention-guard.md).
final class RetentionClock: Sendable {
    /// Milliseconds for which the clock has to run like the monotonic clock.
    static let patience: Int64 = 60 * 60 * 1_000
    /// Milliseconds by which the two may differ.
    static let tolerance: Int64 = 10 * 60 * 1_000

    /// What can be deleted, and why not more.
    struct Reading: Sendable, Equatable {
        /// Nil: nothing.
        var time: Timestamp?
        /// The day of the last deletion; nil if that is unknown.
        var day: Int?
        /// The days since the one before; nil if that is unknown.
        var days: Int?
        /// For the log; nil if the clock is right as far as can be known.
        var reason: String?
    }

    fileprivate struct State {
        /// The clocks when the time began to be steady.
        var base: (now: Timestamp, uptime: Int64)?
        /// Milliseconds by which the clock was set.
        var jump: Int64?
        /// When the last day was accepted.
        var accepted: Int64 = 0
        /// Of the last deletion, where it is not in a document.
        var day: Int?
        var time: Timestamp?
    }

    /// Where the day of the last deletion is kept, for all servers of a database: a date.
    struct Storage: Sendable {
        var read: @Sendable () async throws(StoreError) -> (text: String, version: Int)?
        /// Returns false if there is another version.
        var write: @Sendable (_ text: String, _ version: Int?) async throws(StoreError) -> Bool
    }

    private let storage: Storage?
    private let state = Mutex(State())

    /// - Parameter storage: Nil where nothing is kept when the process ends.
    init(_ storage: Storage?) { self.storage = storage }

    /// The time of the last reading; nil if nothing may be deleted.
    var time: Timestamp? { state.withLock { $0.time } }

    /// The day of the last deletion; nil if that is unknown.
    func lastDay() async throws(StoreError) -> Int? {
        guard let stored = try await storage?.read() else { return state.withLock { $0.day } }
        return Self.day(stored.text)
    }

    private static func day(_ text: String) -> Int? { Timestamp(rfc3339: text + "T00:00:00Z")?.day }

    /// - Parameter uptime: Milliseconds of the monotonic clock.
    func read(now: Timestamp, uptime: Int64) async throws(StoreError) -> Reading {
        let (steady, jump) = state.withLock { $0.look(now, uptime) }
        let stored = try await storage?.read()
        let day = stored.map { Self.day($0.text) } ?? state.withLock { $0.day }
        var reading = Reading()
        if let jump {
            reading.reason =
                "the clock was set \(jump > 0 ? "forward" : "back") by \(Self.length(jump)); "
                + "nothing is deleted until it has been steady for an hour"
        } else {
            reading = state.withLock { $0.reading(now, uptime, steady: steady, since: day, isKept: storage != nil) }
        }
        if let next = reading.day, next != day {
            let text = String(Timestamp(seconds: Int64(next) * Timestamp.secondsOfDay).rfc3339.prefix(10))
            // Another server may have been faster.
            if let storage, try await !storage.write(text, stored?.version) {
                reading.time = nil
            } else {
                state.withLock { $0.accept(next, uptime) }
            }
        }
        state.withLock { $0.time = reading.time }
        return reading
    }

    private static func length(_ milliseconds: Int64) -> String {
        let minutes = milliseconds.magnitude / 60_000
        return minutes < 2_880 ? "\(minutes) minutes" : "\(minutes / 1_440) days"
    }
}

extension RetentionClock.Storage {
    private static let name = "retention"

    init(_ documents: SealedDocuments) {
        read = { () async throws(StoreError) in
            try await documents.document(Self.name).map { (String(decoding: $0.content, as: UTF8.self), $0.version) }
        }
        write = { (text, version) async throws(StoreError) in
            try await documents.write(Self.name, Array(text.utf8), replacing: version)
        }
    }
}

extension RetentionClock.State {
    /// - Returns: Milliseconds since the time has been steady, and by how much the clock was set if that is less than
    ///   `patience`.
    fileprivate mutating func look(_ now: Timestamp, _ uptime: Int64) -> (steady: Int64, jump: Int64?) {
        let base = base ?? (now, uptime)
        self.base = base
        let difference = now.rawValue - base.now.rawValue - (uptime - base.uptime)
        if abs(difference) > RetentionClock.tolerance {
            jump = difference
            self.base = (now, uptime)
            return (0, jump)
        }
        if uptime - base.uptime >= RetentionClock.patience { jump = nil }
        return (uptime - base.uptime, jump)
    }

    fileprivate func reading(
        _ now: Timestamp, _ uptime: Int64, steady: Int64, since day: Int?, isKept: Bool
    ) -> RetentionClock.Reading {
        guard let day else {
            // A new database, or that of an earlier version: nothing to compare the clock with.
            guard steady >= RetentionClock.patience || !isKept else { return RetentionClock.Reading() }
            return RetentionClock.Reading(time: now, day: now.day)
        }
        // Each hour of a steady clock proves one of the days.
        let proven = Int((uptime - max(accepted, uptime - steady)) / RetentionClock.patience)
        if now.day <= day + 1 {
            let next = max(now.day, day - proven)
            return RetentionClock.Reading(time: now, day: next, days: max(0, next - day))
        }
        let next = min(now.day, day + proven)
        var reading = RetentionClock.Reading(day: next, days: next - day)
        if next < now.day {
            reading.reason =
                "the clock is \(now.day - day) days ahead of the last deletion; old records stay, "
                + "and as long as it is, those of one day are deleted each hour"
        }
        if next == now.day {
            reading.time = now
        } else if proven > 0 {
            reading.time = Timestamp(seconds: Int64(next + 1) * Timestamp.secondsOfDay - 1)
        }
        return reading
    }

    fileprivate mutating func accept(_ day: Int, _ uptime: Int64) {
        self.day = day
        accepted = uptime
    }
}
