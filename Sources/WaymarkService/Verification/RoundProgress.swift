import WaymarkLinks
import WaymarkStores

/// How far this server has come in a round, beyond what is stored. A server that continues a round without it walks what is not
/// walked yet.
struct RoundProgress {
    /// Links that wait for their hosts; what is beyond can't be known in this round.
    private static let limit = 10_000

    private let startedAt: Timestamp
    /// The last link that was listed.
    var lastListed: LinkID
    /// Links whose hosts have no time for them yet, in the order in which they are walked again.
    private var late: [LinkID] = []
    private var isLate: Set<LinkID> = []

    init(continuing round: VerificationRound) {
        startedAt = round.startedAt
        lastListed = round.lastLink
    }

    func isOf(_ round: VerificationRound) -> Bool { startedAt == round.startedAt }

    var hasLate: Bool { !late.isEmpty }

    /// The links up to this one need no walk any more.
    var lastSettled: LinkID {
        guard let first = late.min(by: { $0.rawValue < $1.rawValue }) else { return lastListed }
        return LinkID(rawValue: min(first.rawValue - 1, lastListed.rawValue))
    }

    /// - Returns: false if too many links wait.
    mutating func putOff(_ link: LinkID) -> Bool {
        if isLate.contains(link) { return true }
        guard late.count < Self.limit else { return false }
        late.append(link)
        isLate.insert(link)
        return true
    }

    mutating func takeLate(_ count: Int) -> [LinkID] {
        let taken = late.prefix(count)
        late.removeFirst(taken.count)
        isLate.subtract(taken)
        return Array(taken)
    }
}
