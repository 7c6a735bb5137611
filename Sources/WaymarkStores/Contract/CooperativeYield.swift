/// How long a piece of work that nobody waits for lets other threads go first, in all.
///
/// While all processors are busy a single yield can take milliseconds, and who waits for the work's lock, or for the next
/// piece, would wait for all of them: so a piece yields until its budget is spent, and then goes on to its end.
package struct CooperativeYield {
    private var left: Duration

    /// - Parameter most: The yield that begins below it is the last one that may go beyond it.
    package init(_ most: Duration) { left = most }

    /// Yields, unless the budget is spent.
    package mutating func spend(on yield: () -> Void) {
        guard left > .zero else { return }
        let begun = ContinuousClock.now
        yield()
        left -= .now - begun
    }
}
