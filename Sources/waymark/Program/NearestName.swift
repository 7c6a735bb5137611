/// The names that a misspelt one may stand for.
enum NearestName {
    /// Longer texts have no nearest name, because the work grows with the product of the lengths.
    private static let limit = 128

    /// The nearest one within a third of the length; nil if all are further away.
    static func of(_ word: String, in names: [String]) -> String? {
        let word = word.lowercased()
        if word.count > 2, let longer = names.first(where: { $0.lowercased().hasPrefix(word) }) { return longer }
        let distances = names.map { (name: $0, distance: distance(word, $0.lowercased())) }
        return distances.filter { $0.distance <= tolerance(word) }.min { $0.distance < $1.distance }?.name
    }

    /// How many mistakes a text of this length may have.
    static func tolerance(_ text: String) -> Int { max(1, text.unicodeScalars.count / 3) }

    /// How many scalars must be added, removed, replaced, or exchanged with their neighbour.
    static func distance(_ one: String, _ other: String) -> Int {
        let one = Array(one.unicodeScalars.prefix(limit + 1))
        let other = Array(other.unicodeScalars.prefix(limit + 1))
        guard one.count <= limit, other.count <= limit else { return .max }
        var before: [Int] = []
        var last = Array(0...other.count)
        for index in one.indices {
            var row = [index + 1]
            for column in other.indices {
                let replaced = last[column] + (one[index] == other[column] ? 0 : 1)
                var least = min(replaced, last[column + 1] + 1, row[column] + 1)
                if index > 0, column > 0, one[index] == other[column - 1], one[index - 1] == other[column] {
                    least = min(least, before[column - 1] + 1)
                }
                row.append(least)
            }
            (before, last) = (last, row)
        }
        return last[other.count]
    }
}

extension CommandFailure {
    /// A value that is none of `names`, with the nearest one, or all of them.
    static func unknown(_ value: String, of flag: String, _ names: [String]) -> CommandFailure {
        let advice =
            NearestName.of(value, in: names).map { "did you mean \"\($0)\"?" }
            ?? "give one of \(names.joined(separator: ", "))"
        return .usage("\(flag): \"\(value)\" is not allowed; \(advice)")
    }

    /// - Throws: if a value is given that is none of `names`.
    static func check(_ value: String?, of flag: String, _ names: [String]) throws {
        if let value, !names.contains(value) { throw unknown(value, of: flag, names) }
    }
}
