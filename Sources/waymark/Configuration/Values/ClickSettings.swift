/// The settings of click recording: `clicks` in the configuration file.
struct ClickSettings: Sendable, Equatable {
    /// Days (UTC) after which records are deleted. Default: 400, to compare a month with the same one of the previous
    /// year; at most ten years.
    var retentionDays = 400
    /// Whether each click is recorded, rather than only counted. Default: true.
    var record = true
    /// Whether unique visitors per day are counted, by hashes of their addresses. Default: true.
    var visitors = true
    /// Seconds between writes of click records, which is also how much a crash can lose; up to three times as many if
    /// the clicks are spread over thousands of links (docs/guide/clicks.md). Default: 5.
    var flushSeconds = 5

    static let members: [SettingMember<ClickSettings>] = [
        SettingMember("retentionDays", .integer(1...3_650), \.retentionDays),
        SettingMember("record", .boolean, \.record),
        SettingMember("visitors", .boolean, \.visitors),
        SettingMember("flushSeconds", .integer(1...60), \.flushSeconds),
    ]
}
