internal import WaymarkLinks
internal import WaymarkStores

extension DailyActivity {
    /// The names of `LinkActivity.values` in an export, in the same order.
    static let countNames: [StaticString] = ["opens", "installs", "resolves", "redeems", "claims"]

    /// Whether the counts and the day are valid and accepted by an import.
    var isReadable: Bool { counts.values.allSatisfy { $0 >= 0 } && ClickBlock.days.contains(day) }
}
