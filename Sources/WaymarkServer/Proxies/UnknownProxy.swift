import Synchronization

/// Says once that requests come through a proxy that is not trusted.
final class UnknownProxy: Sendable {
    private let isKnown = Atomic<Bool>(false)
    private let report: (@Sendable () -> Void)?

    init(_ report: (@Sendable () -> Void)?) { self.report = report }

    func note() {
        guard let report, !isKnown.load(ordering: .relaxed) else { return }
        if !isKnown.exchange(true, ordering: .relaxed) { report() }
    }
}
