package import WaymarkLinks
import WaymarkStores

/// The result of rehearsing a change.
package enum RehearsalOutcome<Refusal: Sendable>: Sendable {
    case rehearsed(Rehearsal.Answer)
    /// The change is not possible.
    case refused(Refusal)
    case unknown
    /// There are more records in these days than one request reads.
    case tooManyClicks
    /// The clicks are of more kinds than one request decides.
    case tooManyKinds
}

extension LinkService {
    /// Decisions that one rehearsal may take: some seconds of work.
    package static let rehearsedDecisions = 200_000
    /// Blocks per page: at most some megabytes.
    private static let rehearsalPage = 64

    /// Decides the recorded clicks of whole days before today as if the link had been changed. Changes nothing.
    ///
    /// - Parameters:
    ///   - work: of the rehearsals before, which the limits include.
    ///   - outcome: a resolution in the terms of explanations.
    /// - Throws: `StoreError`, or `CancellationError` if the task is cancelled.
    package func rehearse<Refusal: Sendable>(
        _ link: Link, days: Int, after work: Rehearsal.Work = Rehearsal.Work(),
        outcome: @escaping @Sendable (Resolution) -> String,
        change: @Sendable (Link, ServedApplication, _ metadata: [UInt8]?) -> PatchDecision<Refusal>
    ) async throws -> RehearsalOutcome<Refusal> {
        guard let served = applications.directory.current.application(link.application) else { return .unknown }
        let metadata = link.hasMetadata ? try await store.metadata(of: link.id) : nil
        var changed = link
        switch change(link, served, metadata) {
        case .refuse(let refusal): return .refused(refusal)
        case .change(let change): changed.content = change.content
        }
        let today = dependencies.now().day
        var rehearsal = Rehearsal(from: link, to: changed, served.application, after: work, outcome: outcome)
        if days > configuration.clickRetentionDays { rehearsal.add(.retention(days: configuration.clickRetentionDays)) }
        if recordWriter == nil { rehearsal.add(.notRecorded) }
        try await flushWaitingRecords()
        var last: ClickBlock.Key?
        while true {
            let blocks = try await store.clickRecords.blocks(
                of: link.id, days: today - days...today - 1, after: last, limit: Self.rehearsalPage)
            for block in blocks {
                guard try await rehearsal.add(block, limit: Self.rehearsedDecisions) else { return .tooManyKinds }
                guard rehearsal.answer.work.records <= Self.clickRecordLimit else { return .tooManyClicks }
                try Task.checkCancellation()
                await Task.yield()
            }
            guard blocks.count == Self.rehearsalPage else { return .rehearsed(rehearsal.answer) }
            last = blocks.last?.key
        }
    }
}
