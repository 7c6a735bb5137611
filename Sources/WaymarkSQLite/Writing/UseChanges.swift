internal import WaymarkStores

/// Changes of `application_use` in one transaction.
struct UseChanges {
    struct Use: Hashable {
        var application: Int64
        var kind: StoredUse.Kind
        var name: String
    }

    /// The first few, which are found by comparing them: links mostly have the same ones, and to hash their names costs more.
    private var first: [(use: Use, change: Int)] = []
    private var others: [Use: Int] = [:]
    private static let compared = 4

    var all: [(use: Use, change: Int)] { first + others.map { ($0, $1) } }

    mutating func add(_ change: Int, to use: Use) {
        if let index = first.firstIndex(where: { $0.use == use }) {
            first[index].change += change
        } else if first.count < Self.compared {
            first.append((use, change))
        } else {
            others[use, default: 0] += change
        }
    }
}
