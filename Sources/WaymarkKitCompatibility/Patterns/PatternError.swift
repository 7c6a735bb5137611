/// Why a text is no pattern, and where.
struct PatternError: Error, Sendable, Equatable {
    /// Which scalar of the pattern it is about, from 0.
    let offset: Int
    /// What is wrong, without a full stop.
    let problem: String
}
