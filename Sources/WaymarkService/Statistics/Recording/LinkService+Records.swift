import Logging
import WaymarkBytes
package import WaymarkStores

/// When click records are written, and what operators are told about it.
extension LinkService {
    /// Takes over what earlier runs have left on the spool.
    func openSpool() {
        guard let recordWriter, recordWriter.currentSpool == nil, let path = configuration.clickSpool,
            let secret = clickSecret
        else { return }
        // Each database has a secret of its own, which exports and backups have too.
        let identity = secret.hash(Array("spool".utf8))
        let spool = ClickSpool(
            path: path, limit: configuration.clickSpoolBytes, minimumFree: configuration.minimumFreeDisk,
            identity: identity)
        for sentence in spool.adopt() { logger.warning("\(sentence)") }
        if !spool.isEmpty { logger.notice("click records that were left in \(path)-* are being written") }
        if spool.isWritable || !spool.isEmpty { recordWriter.use(spool) }
    }

    /// - Parameter isLast: whether the process ends, and with it what can't be written.
    func writeRecords(inTurn: Bool, isLast: Bool = false) async {
        if isLast { await recordWriter?.endRelief() }
        do throws(StoreError) {
            if inTurn { try await takeTurnOfRecords() } else { try await flushRecords() }
            settleUnwritten()
            if isLast, let waiting = recordWriter?.metrics.waiting, waiting > 0 {
                logger.warning("\(waiting) records of clicks are lost: they came after the last ones were written")
            }
        } catch {
            reportUnwritten(error, isLast: isLast)
        }
        reportSpool(isLast: isLast)
        try? await unknownVisits?.flush()
    }

    private func settleUnwritten() {
        guard recordWriter?.currentSpool?.isEmpty ?? true else { return }
        warnings.settle(.records, "records of clicks are being recorded again")
    }

    private func reportUnwritten(_ error: StoreError, isLast: Bool) {
        guard let recordWriter else { return }
        let waiting = recordWriter.metrics.waiting
        if waiting == 0 {
            guard recordWriter.spooledBytes > 0, let spool = recordWriter.currentSpool else { return }
            warnings.raise(
                .records, "records of clicks wait in \(spool.path)-* for the store: \(error.sentence)")
        } else if isLast {
            logger.warning("\(waiting) records of clicks are lost: \(error.sentence)")
        } else {
            warnings.raise(.records, "\(waiting) records of clicks wait for the store: \(error.sentence)")
        }
    }

    private func reportSpool(isLast: Bool) {
        guard let recordWriter else { return }
        let dropped = recordWriter.takeDropped()
        if dropped > 0 {
            warnings.raise(.dropped, "\(dropped) records of clicks are lost, because too many wait")
        } else {
            warnings.settle(.dropped, "no more records of clicks are lost")
        }
        guard let spool = recordWriter.currentSpool else { return }
        if let problem = spool.problem {
            warnings.raise(.spool, "records of clicks wait, because files \(spool.path)-* can't be used: \(problem)")
        } else {
            warnings.settle(.spool, "files \(spool.path)-* of records of clicks can be used again")
        }
        for loss in spool.takeLosses() { logger.warning("\(loss)") }
        if isLast, spool.bytes > 0 {
            logger.warning("\(spool.bytes) bytes of click records are in \(spool.path)-*; the next start writes them")
        }
    }

    /// Writes what is on the spool.
    func replayRecords() async {
        guard let recordWriter, recordWriter.currentSpool?.isEmpty == false else { return }
        do throws(StoreError) {
            let lastDeletion = try await retention.lastDay()
            try await recordWriter.replay(from: lastDeletion.map { $0 - configuration.clickRetentionDays } ?? 0)
            settleUnwritten()
        } catch {
            reportUnwritten(error, isLast: false)
        }
    }

    /// Writes the records of all clicks so far, so that they can be read.
    package func flushRecords() async throws(StoreError) {
        guard let recordWriter else { return }
        clicks.gather()
        try await recordWriter.flush()
    }

    /// The same for many callers, who share a flush a second: each writes a row per link clicked since the last one.
    /// Returns at once if no click is waiting.
    func flushWaitingRecords() async throws(StoreError) {
        clicks.gather()
        guard let recordWriter, recordWriter.metrics.waiting > 0 else { return }
        try await recordFlush.run { [self] () async throws(StoreError) in try await flushRecords() }
    }

    /// Processes records every `clickJournalInterval`.
    func takeTurnOfRecords() async throws(StoreError) {
        guard let recordWriter else { return }
        clicks.gather()
        try await recordWriter.takeTurn()
    }
}
