internal import WaymarkJSON

/// Collects findings and converts their offsets to lines and columns.
struct LintDiagnostics {
    private(set) var findings: [(offset: Int?, finding: LintFinding)] = []
    let budget: WorkBudget
    private let positions: SourcePositions

    /// Maximum number of findings in a report; a hostile file could have one every few bytes. The search stops when
    /// the limit is reached.
    static let limit = 200
    /// Maximum length of a message in characters.
    private static let lengthLimit = 600
    private(set) var hasMore = false

    init(_ source: [UInt8], _ budget: WorkBudget) {
        positions = SourcePositions(source)
        self.budget = budget
    }

    /// Whether to stop: the report is full, or the budget exhausted.
    var isFull: Bool { hasMore || budget.isExhausted }

    mutating func note(
        _ rule: LintRule, at location: SourceLocation, _ problem: @autoclosure () -> String,
        mend: @autoclosure () -> String = ""
    ) {
        guard hasRoom() else { return }
        note(rule, offset: location.value.range.lowerBound, pointer: location.pointer, problem(), mend: mend())
    }

    /// Messages and pointers are only created for reported findings.
    private mutating func hasRoom() -> Bool {
        hasMore = hasMore || findings.count >= Self.limit
        return !hasMore
    }

    mutating func note(
        _ rule: LintRule, offset: Int?, pointer: @autoclosure () -> String? = nil, _ problem: @autoclosure () -> String,
        mend: @autoclosure () -> String = ""
    ) {
        guard hasRoom() else { return }
        budget.spend(WorkBudget.Price.rule)
        let position = offset.map(positions.position)
        let finding = LintFinding(
            rule, truncated(problem()), mend: truncated(mend()), line: position?.line, column: position?.column,
            pointer: pointer())
        findings.append((offset, finding))
    }

    private func truncated(_ text: String) -> String {
        guard text.utf8.count > Self.lengthLimit else { return text }
        let scalars = text.unicodeScalars
        guard let end = scalars.index(scalars.startIndex, offsetBy: Self.lengthLimit, limitedBy: scalars.endIndex),
            end < scalars.endIndex
        else { return text }
        return String(scalars[..<end]) + "…"
    }

    /// Adds the findings about the report itself, which the limit does not affect.
    mutating func close() {
        if hasMore {
            let problem = "more was found than the \(Self.limit) findings that are listed"
            findings.append((nil, LintFinding(.findingsOmitted, problem)))
        }
        if budget.isExhausted {
            let problem = "checking the file takes too long: what stands here was found, and there may be more"
            findings.append((nil, LintFinding(.budgetExceeded, problem)))
        }
    }

    /// Sorted by position in the file.
    var sorted: [LintFinding] {
        findings.enumerated().sorted {
            ($0.element.offset ?? .max, $0.offset) < ($1.element.offset ?? .max, $1.offset)
        }.map(\.element.finding)
    }

    // MARK: Types

    mutating func object(_ location: SourceLocation) -> JSONObject? {
        if location.value.object == nil { wrongType(location, "an object") }
        return location.value.object
    }

    /// Nil if it is not an array, which is reported.
    mutating func elements(_ location: SourceLocation) -> LazyMapSequence<Range<Int>, SourceLocation>? {
        guard location.value.array != nil else {
            wrongType(location, "an array")
            return nil
        }
        return location.elements
    }

    mutating func string(_ location: SourceLocation) -> String? {
        if location.value.string == nil { wrongType(location, "a string") }
        return location.value.string
    }

    mutating func bool(_ location: SourceLocation) -> Bool? {
        if location.value.bool == nil { wrongType(location, "true or false") }
        return location.value.bool
    }

    private mutating func wrongType(_ location: SourceLocation, _ expected: String) {
        note(
            .wrongType, at: location, "\(expected) belongs here, not \(location.value.noun)", mend: "Write \(expected)."
        )
    }

    /// Reports unknown members.
    mutating func unknownMembers(of location: SourceLocation, known: KnownMembers) {
        budget.spend((location.value.object?.count ?? 0) * WorkBudget.Price.small)
        for member in location.members where !known.names.contains(member.name) {
            guard !isFull else { return }
            let guess = known.meant[member.name.lowercased()] ?? known.spelling.nearest(to: member.name, budget)
            if let guess {
                note(
                    .memberMisspelt, offset: member.nameOffset, pointer: member.location.pointer,
                    "the member \(quoted(member.name)) is ignored; did you mean \(quoted(guess))?",
                    mend: "Write \(quoted(guess)).")
            } else {
                note(
                    .memberUnknown, offset: member.nameOffset, pointer: member.location.pointer,
                    "the member \(quoted(member.name)) is ignored; no system knows it")
            }
        }
    }
}

/// The members that an object may have.
struct KnownMembers {
    let names: [String]
    /// The intended members for common wrong names (in lower case).
    let meant: [String: String]
    fileprivate let spelling: Spelling

    init(_ names: [String], meant: [String: String] = [:]) {
        self.names = names
        self.meant = meant
        spelling = Spelling(names)
    }
}
