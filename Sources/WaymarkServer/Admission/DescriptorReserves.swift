import Synchronization

/// How many acceptors of a server are without the descriptor that they hold in reserve.
///
/// While one is, the others turn their newcomers away too: the next descriptor that is free must become a reserve again.
/// Otherwise a loop that accepts at the right moment would take it for a connection, and the clients of the other loop
/// would wait without a word.
final class DescriptorReserves: Sendable {
    private let missing = Atomic<Int>(0)

    var areShort: Bool { missing.load(ordering: .sequentiallyConsistent) > 0 }

    func spent() {
        missing.add(1, ordering: .sequentiallyConsistent)
    }

    func regained() {
        missing.subtract(1, ordering: .sequentiallyConsistent)
    }
}
