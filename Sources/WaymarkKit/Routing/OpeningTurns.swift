/// Which link was opened last, and whether it waits for an answer of the service: an answer that comes after a later link
/// was opened opens nothing.
struct OpeningTurns {
    private var last = 0
    private var waiting: Int?

    /// Whether a link waits for an answer and no later one took its place.
    var isWaiting: Bool { waiting == last }

    /// A link opens now.
    mutating func advance() {
        last += 1
    }

    /// A link opens when its answer comes.
    mutating func begin() -> Int {
        last += 1
        waiting = last
        return last
    }

    /// The answer is here.
    ///
    /// - Returns: whether no other link was opened in between.
    mutating func end(_ turn: Int) -> Bool {
        if waiting == turn { waiting = nil }
        return turn == last
    }
}
