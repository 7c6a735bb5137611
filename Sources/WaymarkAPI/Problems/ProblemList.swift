/// Gathers what is wrong with a body, and stops at what an answer may name: the rest is counted.
package struct ProblemList: Sendable {
    /// How many problems one answer names, the last of them saying how many more there are.
    package static let limit = 200

    private var named: [FieldProblem] = []
    private var rest = 0

    package init() {}

    package init(_ entries: some Sequence<FieldProblem>) {
        for entry in entries { add(entry) }
    }

    package mutating func add(_ field: @autoclosure () -> String, _ problem: @autoclosure () -> String) {
        guard named.count < Self.limit else {
            rest += 1
            return
        }
        named.append(FieldProblem(field: field(), problem: problem()))
    }

    package mutating func add(_ problem: FieldProblem) {
        if problem.omitted > 0 {
            rest += problem.omitted
        } else if named.count < Self.limit {
            named.append(problem)
        } else {
            rest += 1
        }
    }

    package mutating func add(_ others: ProblemList) {
        for problem in others.named { add(problem) }
        rest += others.rest
    }

    /// At most `limit`, in the order they were added.
    package var entries: [FieldProblem] {
        guard rest > 0 else { return named }
        guard named.count == Self.limit else { return named + [.more(rest)] }
        return named.dropLast() + [.more(rest + 1)]
    }
}

extension FieldProblem {
    /// Stands for problems that are not named.
    package static func more(_ count: Int) -> FieldProblem {
        FieldProblem(field: "", problem: "and \(count) more problems", kind: .omitted(count))
    }
}

extension [FieldProblem] {
    /// How many problems the entries stand for.
    package var total: Int { reduce(0) { $0 + Swift.max(1, $1.omitted) } }

    /// As many of the first as fit into so many bytes of an answer, the rest counted; always one.
    package func fitting(_ bytes: Int) -> [FieldProblem] {
        var left = bytes
        var kept: [FieldProblem] = []
        for (position, problem) in enumerated() {
            left -= problem.encodedSize
            if left < 0, position > 0 {
                return kept + [.more(self[position...].reduce(0) { $0 + Swift.max(1, $1.omitted) })]
            }
            kept.append(problem)
        }
        return kept
    }
}

extension String {
    /// At most so many bytes, cut between two scalars.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }

    /// A name that came from outside, short enough to be repeated.
    var shownAsName: String { cut(toBytes: 100) }
}
