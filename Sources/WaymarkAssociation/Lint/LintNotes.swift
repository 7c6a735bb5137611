internal import WaymarkJSON

/// Collects findings and turns their places into lines and columns.
struct LintNotes {
    private(set) var findings: [(offset: Int?, finding: LintFinding)] = []
    private let source: [UInt8]
    /// Where each line begins.
    private let lines: [Int]

    /// How many findings a report names; a hostile file could have one for every few bytes.
    static let limit = 500

    init(_ source: [UInt8]) {
        self.source = source
        var lines = [0]
        for (place, byte) in source.enumerated() {
            let isReturn =
                byte == UInt8(ascii: "\r") && !(place + 1 < source.count && source[place + 1] == UInt8(ascii: "\n"))
            if byte == UInt8(ascii: "\n") || isReturn { lines.append(place + 1) }
        }
        self.lines = lines
    }

    mutating func note(_ rule: LintRule, at place: LintPlace, _ problem: String, mend: String = "") {
        note(rule, offset: place.value.range.lowerBound, pointer: place.pointer, problem, mend: mend)
    }

    mutating func note(
        _ rule: LintRule, offset: Int?, pointer: String? = nil, _ problem: String, mend: String = ""
    ) {
        guard findings.count < Self.limit else { return }
        let position = offset.map(position)
        findings.append(
            (
                offset,
                LintFinding(
                    rule, problem, mend: mend, line: position?.line, column: position?.column, pointer: pointer)
            ))
    }

    /// In the order of the file.
    var sorted: [LintFinding] {
        findings.enumerated().sorted {
            ($0.element.offset ?? .max, $0.offset) < ($1.element.offset ?? .max, $1.offset)
        }.map(\.element.finding)
    }

    private func position(_ offset: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, lines.count)
        while high - low > 1 {
            let middle = (low + high) / 2
            if lines[middle] <= offset { low = middle } else { high = middle }
        }
        let column = source[lines[low]..<min(max(offset, lines[low]), source.count)].count { $0 & 0xC0 != 0x80 }
        return (low + 1, column + 1)
    }

    // MARK: Types

    mutating func object(_ place: LintPlace) -> JSONObject? {
        if place.value.object == nil { wrongType(place, "an object") }
        return place.value.object
    }

    /// Nil where it is no array, which is noted.
    mutating func elements(_ place: LintPlace) -> [LintPlace]? {
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
    mutating func unknownMembers(of place: LintPlace, known: [String], meant: [String: String] = [:]) {
        for member in place.members where !known.contains(member.name) {
            let guess = meant[member.name.lowercased()] ?? Spelling.nearest(to: member.name, among: known)
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
