/// How close one name is to another.
enum Spelling {
    /// The known name that was probably meant; nil where none is close.
    static func nearest(to name: String, among known: [String]) -> String? {
        let scalars = Array(name.lowercased().unicodeScalars)
        guard scalars.count <= 64 else { return nil }
        let candidates = known.compactMap { candidate -> (String, Int)? in
            let other = Array(candidate.lowercased().unicodeScalars)
            // Names of one or two characters are close to everything.
            guard other.count > 2 else { return nil }
            let distance = distance(scalars, other)
            return distance <= min(2, other.count / 3) ? (candidate, distance) : nil
        }
        return candidates.min { $0.1 < $1.1 }?.0
    }

    /// Insertions, deletions, changes and swaps of neighbours that lead from one to the other.
    static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var before: [Int] = []
        var previous = Array(0...right.count)
        for (row, scalar) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var cost = min(previous[column + 1], current[column]) + 1
                cost = min(cost, previous[column] + (scalar == other ? 0 : 1))
                if row > 0, column > 0, scalar == right[column - 1], left[row - 1] == other {
                    cost = min(cost, before[column - 1] + 1)
                }
                current.append(cost)
            }
            (before, previous) = (previous, current)
        }
        return previous[right.count]
    }
}
