/// How something that `waymark check` found is mended.
package enum Mending: Int, Sendable, CaseIterable, Comparable {
    case rebuildTotals, rebuildSearch, repairAliases, deleteEndpoint, restore

    package var command: String {
        switch self {
        case .rebuildTotals: "waymark check --rebuild-totals"
        case .rebuildSearch: "waymark check --rebuild-search"
        case .repairAliases: "waymark check --repair-aliases, while no server runs"
        case .deleteEndpoint: "waymark webhooks delete ID, and create the webhook again"
        case .restore: "restore a backup, or correct it by hand"
        }
    }

    package static func < (one: Mending, other: Mending) -> Bool { one.rawValue < other.rawValue }
}
