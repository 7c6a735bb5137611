/// Which link was opened last, and which wait for an answer of the service: an answer that comes after a later link was
/// opened opens nothing.
struct OpeningTurns {
    private var last = 0
    private var underWay: Set<Int> = []

    /// Whether a link waits for an answer and no later one took its place.
    var isWaiting: Bool { underWay.contains(last) }

    /// A link opens now.
    mutating func advance() {
        last += 1
    }

    /// A link opens when its answer comes.
    mutating func begin() -> Int {
        last += 1
        underWay.insert(last)
        return last
    }

    /// The answer is here.
    ///
    /// - Returns: whether no other link was opened meanwhile.
    mutating func end(_ turn: Int) -> Bool {
        underWay.remove(turn)
        return turn == last
    }
}
