/// How a visit ends, and every place where a destination was looked for on the way.
package struct Decision: Sendable, Equatable {
    package var resolution: Resolution
    package var candidates: [Candidate]
}

/// A place where a destination may come from.
package struct Candidate: Sendable, Equatable {
    /// `link.urls.iphone`, `template product, ios`…
    package var source: String
    /// Nil where it gives none.
    package var url: String?
    package var taken: Bool
    package var why: String
}

/// Watches a decision being made. The decision is generic over it, so that the one who only wants the outcome pays for
/// no words: with `NoTrace` every call disappears.
protocol DecisionTrace {
    init()
    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String)
    /// Takes over what another decision about the same visit noted, with `label` in front of each source.
    mutating func take(_ other: Self, label: StaticString)
}

struct NoTrace: DecisionTrace {
    @inline(__always)
    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String
    ) {}

    @inline(__always)
    mutating func take(_ other: NoTrace, label: StaticString) {}
}

struct CandidateTrace: DecisionTrace {
    var candidates: [Candidate] = []

    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String
    ) {
        candidates.append(Candidate(source: source.text, url: url(), taken: taken, why: why()))
    }

    mutating func take(_ other: CandidateTrace, label: StaticString) {
        for var candidate in other.candidates {
            candidate.source = "\(label): \(candidate.source)"
            candidates.append(candidate)
        }
    }
}
