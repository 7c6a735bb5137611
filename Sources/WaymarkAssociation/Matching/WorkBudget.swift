/// A limit for the work of one request. Files and URLs are untrusted, and a file can require excessive comparisons:
/// every rule with every other, every value of a variable in every pattern. A whole request shares one budget, and
/// every loop that can run longer than its input charges it.
///
/// When it is exhausted, loops end early and return false. Such a result is meaningless: the caller checks
/// `isExhausted` and reports that the work was not finished.
///
/// Isolation: used by one request, which is processed on one thread.
final class WorkBudget {
    /// In steps of about three nanoseconds: reading one byte, or combining one word of bits. Allocating and hashing
    /// cost more steps, see `Price`. May exceed the total, because some work is charged afterwards.
    private(set) var spent = 0
    private let total: Int
    private var nextLook = stepsBetweenLooks

    /// About 30 ms on a 2022 machine.
    static let usual = 10_000_000

    /// The number of steps between checks for task cancellation.
    private static let stepsBetweenLooks = 1 << 20

    init(_ steps: Int = usual) {
        total = steps
    }

    var remaining: Int { max(0, total - spent) }
    private(set) var isExhausted = false

    /// Returns false if the budget is exhausted.
    @discardableResult
    func spend(_ steps: Int) -> Bool {
        spent += steps
        if spent >= nextLook {
            nextLook = spent + Self.stepsBetweenLooks
            if Task.isCancelled { isExhausted = true }
        }
        if spent >= total { isExhausted = true }
        return !isExhausted
    }

    /// The costs of common work, in steps.
    enum Price {
        /// An allocation or a hash table lookup.
        static let small = 24
        /// A few of these.
        static let medium = 100
        /// Reading a rule from JSON.
        static let rule = 300
        /// Reading a byte of JSON.
        static let jsonByte = 4
    }
}
