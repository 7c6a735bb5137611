package import WaymarkJSON

/// Patterns of segments as a tree: a walk costs as many steps as a path has segments (and once more for every place where
/// both a literal and a variable fit), however many patterns there are.
///
/// Patterns are found in the order of both routing systems: from left to right, a literal comes before a variable. Entries
/// with the same pattern keep the order in which they were inserted, or the one that the inserter asks for.
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
    /// - Parameter precedes: whether the first entry stands before the second where both have this pattern.
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

    /// Finds the entries whose patterns fit the path, in order of priority, until one is taken.
    ///
    /// The places still to visit are kept in an array rather than on the stack of the thread: patterns may come from a
    /// file and be as deep as it likes.
    ///
    /// - Parameters:
    ///   - steps: grows by one for every place of the tree that was visited.
    ///   - take: is handed each entry; true ends the walk.
    package func walk(_ path: [ExactText], steps: inout Int, take: (Int) -> Bool) {
        guard path.count <= depth else { return }
        var open: [(node: Int, depth: Int)] = [(0, 0)]
        while let (node, depth) = open.popLast() {
            steps += 1
            guard depth < path.count else {
                for entry in nodes[node].entries where take(entry) { return }
                continue
            }
            // What is pushed last is visited first.
            if let variable = nodes[node].variable { open.append((variable, depth + 1)) }
            if let literal = nodes[node].literals[path[depth]] { open.append((literal, depth + 1)) }
        }
    }
}
