import WaymarkAPI
import WaymarkLinks

/// The wire's problem of a field; the rules of links have their own of the same name.
typealias FieldProblem = WaymarkAPI.FieldProblem

extension FieldProblem {
    init(_ problem: WaymarkLinks.FieldProblem) {
        if problem.omitted > 0 {
            self = .more(problem.omitted)
        } else {
            self.init(field: problem.field, problem: problem.problem)
        }
    }

    /// What is wrong with a body's shape, and behind it what is wrong with the meaning of the rest.
    ///
    /// A member of a wrong type was read as absent, so a complaint about the same member, about what would be inside of
    /// it, or that it is missing says nothing new and is left out. Linear in the length of all fields.
    static func merged(shape: [FieldProblem], meaning: [FieldProblem]) -> [FieldProblem] {
        guard !shape.isEmpty, !meaning.isEmpty else { return shape + meaning }
        let known = Set(shape.map(\.field))
        let around = Set(known.flatMap { prefixes(of: $0) { $0 == UInt8(ascii: ".") } })
        // Whether a link needs a route depends on its URLs.
        let knowsURLs = known.contains("urls") || around.contains("urls")
        return shape
            + meaning.filter { problem in
                guard problem.omitted == 0 else { return true }
                let isKnown =
                    known.contains(problem.field) || around.contains(problem.field)
                    || (problem.field == "route" && knowsURLs)
                    || prefixes(of: problem.field) { $0 == UInt8(ascii: ".") || $0 == UInt8(ascii: "[") }
                        .contains(where: known.contains)
                return !isKnown
            }
    }

    /// The field up to each of its bytes that separate: `rules`, `rules[0]` of `rules[0].to`. The first few: no field of
    /// these bodies is deeper, and names from outside may be nothing but separators.
    private static func prefixes(of field: String, _ separates: (UInt8) -> Bool) -> [String] {
        var prefixes: [String] = []
        for index in field.utf8.indices where separates(field.utf8[index]) {
            prefixes.append(String(field[..<index]))
            if prefixes.count == 12 { break }
        }
        return prefixes
    }
}
