/// What the open connections of a server are doing at one moment.
///
/// Each loop looks at its own once in a while (`LoopProbe`): keeping the numbers at every step would cost every request.
package struct ConnectionCensus: Sendable, Equatable {
    package enum State: String, CaseIterable, Sendable {
        /// TLS is not agreed on yet.
        case handshake
        /// Between two requests.
        case idle
        /// Part of a request has come.
        case reading
        /// The answer is being made.
        case working
        /// The client takes the answer more slowly than it was made.
        case writing
        /// The last answer is out.
        case closing
    }

    private var counts = State.allCases.map { _ in 0 }

    package init() {}

    /// - Parameter counts: in the order of the states.
    init(_ counts: [Int]) { self.counts = counts }

    package subscript(state: State) -> Int { counts[Self.place(of: state)] }

    mutating func count(_ state: State) { counts[Self.place(of: state)] += 1 }

    mutating func add(_ other: ConnectionCensus) {
        for place in counts.indices { counts[place] += other.counts[place] }
    }

    private static func place(of state: State) -> Int { State.allCases.firstIndex(of: state) ?? 0 }
}

extension Connection {
    var state: ConnectionCensus.State? {
        switch phase {
        case .closed: nil
        case .handshake: .handshake
        case .finishing, .lingering: .closing
        case _ where output.isBlocked: .writing
        case .head: input.isEmpty ? .idle : .reading
        case .body, .skipping: .reading
        case .answering: .working
        }
    }
}
