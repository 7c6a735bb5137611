/// When the next batch is sent to ClickHouse, in milliseconds.
enum ShippingPace {
    /// Of clicks, by whole blocks.
    static let batch = 50_000
    /// ClickHouse merges few large batches much cheaper than many small ones.
    static let interval: Int64 = 1_000
    /// While another server ships.
    static let idleInterval: Int64 = 2_000
    private static let longest: Int64 = 60_000

    /// After a batch of so many clicks.
    static func rest(after clicks: Int) -> Int64 { clicks >= batch / 2 ? 0 : interval }

    /// After a failure.
    ///
    /// - Parameters:
    ///   - failures: in a row, this one counted.
    ///   - jitter: 0 to 1; shortens the delay by up to a half, so that servers do not return together.
    static func delay(after failures: Int, jitter: Double) -> Int64 {
        let delay = min(longest, interval << Int64(min(max(0, failures - 1), 6)))
        return delay - Int64(Double(delay) * 0.5 * jitter)
    }
}
