/// Limits how long background work yields to other threads in total.
///
/// While all processors are busy, a single yield can take milliseconds, and threads waiting for the work's lock or
/// next step would wait for all of them: so the work yields until its budget is spent, and then continues to its end.
package struct CooperativeYield {
    private var left: Duration

    /// - Parameter most: the total time. The last yield may exceed it.
    package init(_ most: Duration) { left = most }

    /// Yields unless the budget is spent.
    package mutating func spend(on yield: () -> Void) {
        guard left > .zero else { return }
        let begun = ContinuousClock.now
        yield()
        left -= .now - begun
    }
}
