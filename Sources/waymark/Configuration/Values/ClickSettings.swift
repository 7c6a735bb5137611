/// What is kept of clicks: `clicks` in the configuration file.
struct ClickSettings: Sendable, Equatable {
    /// Whole days of UTC after which records are dropped. Default: 400, so that a month can be compared with the same one
    /// of the year before; up to ten years.
    var retentionDays = 400
    /// Whether a record of each click is kept, or only their number. Default: true.
    var record = true
    /// Whether the visitors of one day are told apart, by hashes of their addresses. Default: true.
    var visitors = true
    /// Seconds between two times that records are written down, and what a crash can lose; up to three times as many where
    /// the clicks are spread over thousands of links (docs/guide/clicks.md). Default: 5.
    var flushSeconds = 5

    static let members: [SettingMember<ClickSettings>] = [
        SettingMember("retentionDays", .integer(1...3_650), \.retentionDays),
        SettingMember("record", .boolean, \.record),
        SettingMember("visitors", .boolean, \.visitors),
        SettingMember("flushSeconds", .integer(1...60), \.flushSeconds),
    ]
}
