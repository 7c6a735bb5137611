internal import WaymarkJSON

/// Collects findings and turns their places into lines and columns.
struct LintNotes {
    private(set) var findings: [(offset: Int?, finding: LintFinding)] = []
    let budget: WorkBudget
    private let positions: LintPositions

    /// How many findings a report names; a hostile file could have one for every few bytes. Nothing is looked for any more
    /// once they are found.
    static let limit = 200
    /// How many characters a sentence has at most.
    private static let lengthLimit = 600
    private(set) var hasMore = false

    init(_ source: [UInt8], _ budget: WorkBudget) {
        positions = LintPositions(source)
        self.budget = budget
    }

    /// Whether looking on makes no sense: the report is full, or the budget exhausted.
    var isFull: Bool { hasMore || budget.isExhausted }

    mutating func note(
        _ rule: LintRule, at place: LintPlace, _ problem: @autoclosure () -> String,
        mend: @autoclosure () -> String = ""
    ) {
        guard hasRoom() else { return }
        note(rule, offset: place.value.range.lowerBound, pointer: place.pointer, problem(), mend: mend())
    }

    /// Sentences and pointers are only made for findings that are reported.
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

    /// What the report itself is short of, however many findings there are.
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

    /// In the order of the file.
    var sorted: [LintFinding] {
        findings.enumerated().sorted {
            ($0.element.offset ?? .max, $0.offset) < ($1.element.offset ?? .max, $1.offset)
        }.map(\.element.finding)
    }

    // MARK: Types

    mutating func object(_ place: LintPlace) -> JSONObject? {
        if place.value.object == nil { wrongType(place, "an object") }
        return place.value.object
    }

    /// Nil where it is no array, which is noted.
    mutating func elements(_ place: LintPlace) -> LazyMapSequence<Range<Int>, LintPlace>? {
        guard place.value.array != nil else {
            wrongType(place, "an array")
            return nil
        }
        return place.elements
    }

    mutating func string(_ place: LintPlace) -> String? {
        if place.value.string == nil { wrongType(place, "a string") }
        return place.value.string
    }

    mutating func bool(_ place: LintPlace) -> Bool? {
        if place.value.bool == nil { wrongType(place, "true or false") }
        return place.value.bool
    }

    private mutating func wrongType(_ place: LintPlace, _ expected: String) {
        note(
            .wrongType, at: place, "\(expected) belongs here, not \(place.value.noun)", mend: "Write \(expected).")
    }

    /// Members that nobody reads.
    mutating func unknownMembers(of place: LintPlace, known: KnownMembers) {
        budget.spend((place.value.object?.count ?? 0) * WorkBudget.Price.small)
        for member in place.members where !known.names.contains(member.name) {
            guard !isFull else { return }
            let guess = known.meant[member.name.lowercased()] ?? known.spelling.nearest(to: member.name, budget)
            if let guess {
                note(
                    .memberMisspelt, offset: member.nameOffset, pointer: member.place.pointer,
                    "the member \(quoted(member.name)) is passed over; did you mean \(quoted(guess))?",
                    mend: "Write \(quoted(guess)).")
            } else {
                note(
                    .memberUnknown, offset: member.nameOffset, pointer: member.place.pointer,
                    "the member \(quoted(member.name)) is passed over; no system knows it")
            }
        }
    }
}

/// The members that an object may have.
struct KnownMembers {
    let names: [String]
    /// What other names, in small letters, stand for.
    let meant: [String: String]
    fileprivate let spelling: Spelling

    init(_ names: [String], meant: [String: String] = [:]) {
        self.names = names
        self.meant = meant
        spelling = Spelling(names)
    }
}
