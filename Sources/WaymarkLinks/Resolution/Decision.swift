/// The resolution of a visit, and all destinations considered.
package struct Decision: Sendable, Equatable {
    package var resolution: Resolution
    package var candidates: [Candidate]
}

/// A possible source of a destination.
package struct Candidate: Sendable, Equatable {
    /// `link.urls.iphone`, `template product, ios`…
    package var source: String
    /// Nil if it has none.
    package var url: String?
    package var taken: Bool
    package var why: String
}

/// Records how a decision is made. The decision is generic over it, so that there is no overhead if only the outcome
/// is needed: with `NoTrace`, all calls are optimised away.
protocol DecisionTrace {
    init()
    mutating func note(
        _ source: DestinationSource, url: @autoclosure () -> String?, taken: Bool, why: @autoclosure () -> String)
    /// Adds the notes of another decision about the same visit, with `label` before each source.
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
