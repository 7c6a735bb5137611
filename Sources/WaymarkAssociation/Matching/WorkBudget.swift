/// How much work one request may cost. Files and URLs come from strangers, and a file can ask for more comparisons than
/// anyone would wait for: every rule with every other, every value of a variable in every pattern. One budget goes
/// through a whole request, and every loop that can run longer than its input is long charges it.
///
/// Once it is exhausted, loops end early and answer no. Their answer then means nothing: the caller checks `isExhausted`
/// and reports that the work was not finished.
///
/// Isolation: belongs to one request, which is answered on one thread.
final class WorkBudget {
    /// In steps of about three nanoseconds: a byte looked at, a word of bits combined. What allocates or hashes costs more
    /// of them, as `Price` says. More than there were where a piece of work was charged after it was done.
    private(set) var spent = 0
    private let total: Int
    private var nextLook = stepsBetweenLooks

    /// Some 30 ms on a machine of 2022.
    static let usual = 10_000_000

    /// How many steps lie between two looks at whether the task was cancelled.
    private static let stepsBetweenLooks = 1 << 20

    init(_ steps: Int = usual) {
        total = steps
    }

    var remaining: Int { max(0, total - spent) }
    private(set) var isExhausted = false

    /// False where the budget is exhausted.
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

    /// What common pieces of work cost, in steps.
    enum Price {
        /// An allocation, or a look into a hash table.
        static let small = 24
        /// A few of them.
        static let medium = 100
        /// A rule read from JSON.
        static let rule = 300
        /// A byte of JSON that is read.
        static let jsonByte = 4
    }
}
