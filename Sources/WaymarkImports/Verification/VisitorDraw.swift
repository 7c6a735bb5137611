/// Where chance sends the visitors of one link, and whether it has.
package struct VisitorDraw: Sendable {
    package let row: Int
    private let path: String
    private let shares: [String: Int]

    /// Less likely destinations of all visitors are a difference: one false line in a million links.
    private static let leastLikelihood = 1e-6

    /// - Parameter visit: the first of the link.
    init?(_ visit: PlannedVisit, shares: [String: Int]) {
        guard shares.count > 1, shares.values.allSatisfy({ (0...100).contains($0) }),
            shares.values.reduce(0, +) == 100
        else { return nil }
        (row, path, self.shares) = (visit.row, visit.path, shares)
    }

    /// The report's line if the visitors got too few of the destinations to be chosen among all of them.
    ///
    /// - Parameter visitors: their number by destination.
    package func difference(_ visitors: [String: Int], base: String) -> VisitDifference? {
        let share = visitors.keys.reduce(0) { $0 + (shares[$1] ?? 0) }
        let count = visitors.values.reduce(0, +)
        let likelihood = (0..<count).reduce(1.0) { product, _ in product * Double(share) / 100 }
        guard count > 0, likelihood < Self.leastLikelihood else { return nil }
        let missing = shares.keys.filter { visitors[$0] == nil }.sorted()
        return VisitDifference(
            row: row, device: .desktop, smartlink: base + path, expected: missing.joined(separator: " "),
            answered: visitors.keys.sorted().joined(separator: " "),
            reason: "of \(count) visitors none got there, so the test is missing or has other shares")
    }
}
