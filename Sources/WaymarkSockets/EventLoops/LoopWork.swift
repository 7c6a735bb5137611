/// What a loop is given to do between readiness and deadlines.
enum LoopWork: Sendable {
    case call(@Sendable () -> Void)
    /// The next step of a task. As it is and not as a closure: that would be one allocation for each.
    case job(UnownedJob)
}
