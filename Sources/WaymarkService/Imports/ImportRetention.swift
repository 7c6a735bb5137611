import WaymarkLinks
import WaymarkStores

/// Which imports that ended stay readable: the last ones of each application, so that no application takes the place of another
/// one's.
enum ImportRetention {
    /// Of one application, and of all.
    static let applicationLimit = 50
    static let limit = 1_000
    /// Bytes of reports of one application, and of all. The last report of an application always fits.
    static let applicationBytes = 128 << 20
    static let bytes = 512 << 20
    static let days: Int64 = 30

    private struct Sum {
        var count = 0
        var bytes = 0

        /// Whether one more fits, which then counts.
        mutating func add(_ run: StoredImportRun, atMost count: Int, _ bytes: Int) -> Bool {
            guard self.count < count, self.bytes + run.reportBytes <= bytes else { return false }
            self.count += 1
            self.bytes += run.reportBytes
            return true
        }
    }

    /// - Returns: the IDs of those to be forgotten.
    static func surplus(_ runs: [StoredImportRun], at now: Timestamp) -> [String] {
        var all = Sum()
        var applications: [String: Sum] = [:]
        // By their ends: an import may run longer than many that began after it.
        let ended = runs.compactMap { run in run.endedAt.map { (run: run, endedAt: $0) } }
            .sorted { $0.endedAt.rawValue > $1.endedAt.rawValue }
        return ended.filter { run, endedAt in
            let isOld = now.rawValue - endedAt.rawValue > days * 24 * 60 * 60 * 1_000
            return isOld
                || !applications[run.application, default: Sum()].add(run, atMost: applicationLimit, applicationBytes)
                || !all.add(run, atMost: limit, bytes)
        }.map(\.run.id)
    }
}
