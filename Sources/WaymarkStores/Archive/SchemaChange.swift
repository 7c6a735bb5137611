/// A database's tables on their way from the version of an older program to this one's.
package struct SchemaChange: Sendable, Equatable {
    /// 0: the database is new.
    package var from: Int
    package var to: Int
    /// Nil when it begins.
    package var duration: Duration?

    package init(from: Int, to: Int, duration: Duration? = nil) {
        self.from = from
        self.to = to
        self.duration = duration
    }

    /// For the log; nil for a new database.
    package var sentence: String? {
        guard from > 0 else { return nil }
        guard let duration else {
            return
                "schema \(from) -> \(to): the tables are brought up to date, which takes minutes for millions of links"
        }
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1_000 + attoseconds / 1_000_000_000_000_000
        let rest = String(milliseconds % 1_000)
        return "schema \(from) -> \(to) in \(milliseconds / 1_000)."
            + String(repeating: "0", count: 3 - rest.utf8.count) + "\(rest) s"
    }

    /// Reports the beginning and the end of the work.
    package static func reporting<Value>(
        from: Int, to: Int, _ report: (SchemaChange) -> Void, _ work: () throws -> Value
    ) rethrows -> Value {
        guard from < to else { return try work() }
        var change = SchemaChange(from: from, to: to)
        report(change)
        let start = ContinuousClock.now
        let value = try work()
        change.duration = .now - start
        report(change)
        return value
    }
}
