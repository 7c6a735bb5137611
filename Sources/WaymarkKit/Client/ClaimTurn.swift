/// Lets one claim run at a time.
final class ClaimTurn: Sendable {
    private let isTaken = LockedValue(false)

    /// Whether it was free.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() {
        isTaken.withLock { $0 = false }
    }
}
