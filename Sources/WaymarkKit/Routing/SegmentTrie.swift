package import WaymarkJSON

/// A trie of segment patterns: a walk takes as many steps as the path has segments (plus one for every node where
/// both a literal and a variable match), regardless of the number of patterns.
///
/// Patterns are found in the order of both routing systems: from left to right, a literal before a variable. Entries
/// with the same pattern keep their insertion order, or the order requested on insertion.
package struct SegmentTrie: Sendable {
    /// One segment of a pattern.
    package enum Edge: Sendable, Hashable {
        case literal(ExactText)
        case variable
    }

    private struct Node: Sendable {
        var literals: [ExactText: Int] = [:]
        var variable: Int?
        var entries: [Int] = []
    }

    package init() {}

    private var nodes = [Node()]
    private var depth = 0

    /// Inserts an entry under a pattern.
    ///
    /// - Parameter precedes: whether the first entry comes before the second if both have this pattern.
    package mutating func insert(_ pattern: [Edge], entry: Int, precedes: (Int, Int) -> Bool = { _, _ in false }) {
        var node = 0
        for edge in pattern { node = child(of: node, along: edge) }
        depth = max(depth, pattern.count)
        let index = nodes[node].entries.firstIndex { precedes(entry, $0) } ?? nodes[node].entries.endIndex
        nodes[node].entries.insert(entry, at: index)
    }

    private mutating func child(of node: Int, along edge: Edge) -> Int {
        let known =
            switch edge {
            case .literal(let text): nodes[node].literals[text]
            case .variable: nodes[node].variable
            }
        if let known { return known }
        let child = nodes.count
        nodes.append(Node())
        switch edge {
        case .literal(let text): nodes[node].literals[text] = child
        case .variable: nodes[node].variable = child
        }
        return child
    }

    /// Passes the entries whose patterns match the path to a closure, in order of priority, until it accepts one.
    ///
    /// Open nodes are in an array rather than on the thread's stack, because patterns may come from a file and be
    /// arbitrarily deep.
    ///
    /// - Parameters:
    ///   - steps: incremented for every node visited.
    ///   - take: receives each entry; true ends the walk.
    package func walk(_ path: [ExactText], steps: inout Int, take: (Int) -> Bool) {
        guard path.count <= depth else { return }
        var open: [(node: Int, depth: Int)] = [(0, 0)]
        while let (node, depth) = open.popLast() {
            steps += 1
            guard depth < path.count else {
                for entry in nodes[node].entries where take(entry) { return }
                continue
            }
            // The node pushed last is visited first.
            if let variable = nodes[node].variable { open.append((variable, depth + 1)) }
            if let literal = nodes[node].literals[path[depth]] { open.append((literal, depth + 1)) }
        }
    }
}
