import WaymarkAPI
import WaymarkLinks
import WaymarkStores

/// Problems shared by several handlers.
extension Problem {
    static let linkUnknown = Problem(.linkUnknown, "There is no such link, or this key may not see it.")

    /// For visitors of a host without applications.
    static let hostUnserved = Problem(.hostUnknown, "No application has this host.")
    static let slugUnknown = Problem(.linkUnknown, "No link has this slug.")

    /// The problem of a link that can't be used now; nil for one that can.
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

    /// The connection may have been lost during a commit, so the text does not claim that nothing was stored.
    static let storeAway = Problem(
        .storeUnavailable,
        "The store can't be reached right now. Send the same again, with an Idempotency-Key where it must not count twice."
    )

    static let storeFull = Problem(
        .storeFull,
        "The disk that holds the database is full: links are read and redirect, but nothing can be written until the operator frees space. Send the same again then, with an Idempotency-Key where it must not count twice."
    )

    /// The problem response for an error of the store. Its own text is only logged, because it may name files and
    /// hosts.
    init(_ error: StoreError) {
        switch error {
        case .unavailable: self = .storeAway
        case .full: self = .storeFull
        case .corrupt: self.init(.internalError, "The store holds something that this version can't read.")
        case .upgradePending(let pending): self.init(.upgradePending, "Nothing was changed: \(pending.sentence).")
        }
    }
}

extension FieldProblem {
    /// The problems of a body's shape, followed by those of its meaning.
    ///
    /// A member with the wrong type is treated as missing, so problems of the same member, of its contents, or that it
    /// is missing are redundant and left out. Linear in the length of all fields.
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

    /// The prefixes of the field before each separator: `rules` and `rules[0]` of `rules[0].to`. Only the first few:
    /// these bodies have no deeper fields, and names from clients may consist of separators.
    private static func prefixes(of field: String, _ separates: (UInt8) -> Bool) -> [String] {
        var prefixes: [String] = []
        for index in field.utf8.indices where separates(field.utf8[index]) {
            prefixes.append(String(field[..<index]))
            if prefixes.count == 12 { break }
        }
        return prefixes
    }
}
