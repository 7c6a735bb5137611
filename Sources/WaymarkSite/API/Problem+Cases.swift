import WaymarkAPI
import WaymarkLinks
import WaymarkStores

/// Problems that several handlers answer with.
extension Problem {
    static let linkUnknown = Problem(.linkUnknown, "No link stands there, or none that this key may see.")

    /// What visitors of a host are told.
    static let hostUnserved = Problem(.hostUnknown, "No application has this host.")
    static let slugUnknown = Problem(.linkUnknown, "No link has this slug.")

    /// A link that exists and can't be used now; nil for one that can.
    init?(_ state: LinkState) {
        switch state {
        case .active: return nil
        case .scheduled: self.init(.linkScheduled, "The link becomes valid later.")
        case .expired: self.init(.linkExpired, "The link's time is over.")
        case .exhausted: self.init(.linkExhausted, "The link has had all the clicks it may have.")
        case .disabled: self.init(.linkDisabled, "The link was switched off.")
        }
    }

    static let idempotencyMismatch = Problem(
        .idempotencyMismatch, "This Idempotency-Key came with another body before.",
        errors: [FieldProblem(field: "Idempotency-Key", problem: "was used with another body within the last 24 hours")]
    )

    static func versionMismatch(current: Int?) -> Problem {
        Problem(
            .versionMismatch,
            current.map { "The current ETag is \"\($0)\"." } ?? "There is nothing here yet, so no If-Match can hold.")
    }

    /// The connection may have been lost while the store committed, so no word on whether it did.
    static let storeAway = Problem(
        .storeUnavailable,
        "The store can't be reached right now. Send the same again, with an Idempotency-Key where it must not count twice."
    )

    /// What a store that failed is answered with. Its sentence is for the log: it may name files and hosts.
    init(_ error: StoreError) {
        switch error {
        case .unavailable: self = .storeAway
        case .corrupt: self.init(.internalError, "The store holds something that this version can't read.")
        }
    }
}

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
