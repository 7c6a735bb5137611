/// The time limit of one exchange, which begins with the look-up of the host's name.
struct ExchangeLimit {
    private let seconds: Int
    private let elapsed: () -> Duration

    /// Begins now.
    init(seconds: Int) {
        let start = ContinuousClock.now
        self.init(seconds: seconds) { ContinuousClock.now - start }
    }

    /// - Parameter elapsed: the time since the beginning.
    init(seconds: Int, elapsed: @escaping () -> Duration) {
        self.seconds = seconds
        self.elapsed = elapsed
    }

    /// The remaining time in seconds, rounded up; 0 once the limit has passed.
    var rest: Int {
        let rest = .seconds(seconds) - elapsed()
        return rest > .zero ? Int((rest / .seconds(1)).rounded(.up)) : 0
    }
}
