/// Collects the problems of a request, up to the limit of a response; the others are only counted.
package struct ProblemList: Sendable {
    /// Maximum number of problems in a response, the last of which has the number of further ones.
    package static let limit = 200

    private var named: [FieldProblem] = []
    private var rest = 0

    package init() {}

    package var isEmpty: Bool { named.isEmpty && rest == 0 }

    /// How many problems there are, listed or not.
    package var count: Int { named.count + rest }

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

    /// At most `limit` entries, in the order they were added.
    package var entries: [FieldProblem] {
        guard rest > 0 else { return named }
        guard named.count == Self.limit else { return named + [.more(rest)] }
        return named.dropLast() + [.more(rest + 1)]
    }
}

extension FieldProblem {
    /// Represents problems that are not listed.
    package static func more(_ count: Int) -> FieldProblem {
        FieldProblem(field: "", problem: "and \(count) more problems", kind: .omitted(count))
    }
}

extension [FieldProblem] {
    /// The number of problems that the entries represent.
    package var total: Int { reduce(0) { $0 + Swift.max(1, $1.omitted) } }

    /// The first entries that fit in this many bytes of a response, and the number of the others; at least one.
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
    /// Truncates to at most this many bytes, between two scalars.
    func cut(toBytes limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var end = utf8.index(startIndex, offsetBy: limit)
        while String.Index(end, within: unicodeScalars) == nil { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }

    /// An untrusted name, truncated for error messages.
    var shownAsName: String { cut(toBytes: 100) }
}
