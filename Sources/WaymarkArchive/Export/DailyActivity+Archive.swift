internal import WaymarkLinks

extension DailyActivity {
    /// The names of `LinkActivity.values` in an export, in the same order.
    static let countNames: [StaticString] = ["opens", "installs", "resolves", "redeems", "claims"]

    /// Whether its counts and its day can be right, and an import accepts them.
    var isReadable: Bool { counts.values.allSatisfy { $0 >= 0 } && ClickBlock.days.contains(day) }
}
