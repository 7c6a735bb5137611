/// Finds the intended name for a misspelt one.
struct Spelling {
    private let names: [(text: String, scalars: [Unicode.Scalar])]

    /// Longer names are not compared.
    private static let lengthLimit = 64

    init(_ names: [String]) {
        self.names = names.map { ($0, Self.scalars($0)) }
    }

    private static func scalars(_ name: String) -> [Unicode.Scalar] {
        Array(name.lowercased().unicodeScalars.prefix(2 * lengthLimit))
    }

    /// The most similar known name; nil if none is similar.
    func nearest(to name: String, _ budget: WorkBudget) -> String? {
        guard name.utf8.count <= 4 * Self.lengthLimit else { return nil }
        let scalars = Self.scalars(name)
        guard scalars.count <= Self.lengthLimit else { return nil }
        var nearest: (name: String, distance: Int)?
        for candidate in names {
            guard budget.spend(4) else { return nil }
            let other = candidate.scalars
            // Names of one or two characters are similar to everything.
            let limit = min(2, other.count / 3)
            guard other.count > 2, abs(other.count - scalars.count) <= limit else { continue }
            budget.spend(scalars.count * (other.count * 4 + WorkBudget.Price.small))
            let distance = Self.distance(scalars, other)
            if distance <= limit, distance < nearest?.distance ?? .max { nearest = (candidate.text, distance) }
        }
        return nearest?.name
    }

    /// The number of insertions, deletions, substitutions and swaps of neighbours between the two.
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
