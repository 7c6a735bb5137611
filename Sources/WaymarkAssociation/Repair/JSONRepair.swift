internal import WaymarkJSON

/// Parses a text repeatedly, each time with the fault repaired that stopped the last attempt, so that one run reports
/// all faults. A repair never changes the length of the text before it, so offsets stay valid.
struct JSONRepair {
    private(set) var faults: [JSONFault] = []
    private var bytes: [UInt8]
    /// The offsets of strings already reported for typographic quotation marks: each is reported once.
    private var curlyStrings: Set<Int> = []

    private let budget: WorkBudget

    /// Maximum number of faults.
    private static let limit = 50

    init(_ source: [UInt8], _ budget: WorkBudget) {
        bytes = source
        self.budget = budget
    }

    /// Nil if a fault can't be repaired, or if parsing repeatedly costs too much.
    mutating func document() -> JSONDocument? {
        for _ in 0...Self.limit {
            guard budget.spend(bytes.count * WorkBudget.Price.jsonByte) else { return nil }
            let error: JSONError
            do throws(JSONError) {
                return try JSONDocument(keepingRepeatedMembersOf: bytes, depthLimit: AssociationText.depthLimit)
            } catch let thrown {
                error = thrown
            }
            guard faults.count < Self.limit, mend(error) else { return nil }
        }
        return nil
    }

    /// Reports the fault; false if parsing can't continue.
    private mutating func mend(_ error: JSONError) -> Bool {
        let location = error.offset
        guard location < bytes.count, !rest(from: location).allSatisfy(\.isJSONSpace) else { return mendEnd(error) }
        if mendQuotes(at: location) || mendComment(at: location) || mendInvisible(at: location)
            || mendWord(at: location)
        {
            return true
        }
        if error.kind == .controlCharacter || error.kind == .openString {
            return mendOpenString(at: location)
        }
        if mendCommas(error) || mendBrackets(error) { return true }
        faults.append(Self.plain(error))
        return false
    }

    private static func plain(_ error: JSONError) -> JSONFault {
        let rule: LintRule =
            switch error.kind {
            case .notUTF8: .jsonNotUTF8
            case .tooDeep: .jsonTooDeep
            case .escape: .jsonEscape
            case .moreText: .jsonMoreText
            default: .jsonSyntax
            }
        return JSONFault(rule, at: error.offset, error.problem, mend: rule.usualMend)
    }

    // MARK: Strings

    private mutating func mendQuotes(at location: Int) -> Bool {
        if let width = JSONQuote.typographicWidth(bytes, location) {
            curlyStrings.insert(location + width - 1)
            note(.jsonCurlyQuote, location, "a typographic quotation mark stands where a straight one belongs")
            blank(location, width)
            bytes[location + width - 1] = UInt8(ascii: "\"")
            return true
        }
        guard bytes[location] == UInt8(ascii: "'") else { return false }
        note(.jsonSingleQuote, location, "JSON knows double quotation marks only")
        bytes[location] = UInt8(ascii: "\"")
        let line = bytes[(location + 1)...].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\"") }
        if let end = line.firstIndex(of: UInt8(ascii: "'")) { bytes[end] = UInt8(ascii: "\"") }
        return true
    }

    /// A string that does not end on its line: its closing mark is typographic or missing.
    private mutating func mendOpenString(at location: Int) -> Bool {
        let scan = JSONScan(bytes, until: location)
        guard let start = scan.openString else { return false }
        var position = start + 1
        while position < location {
            if let width = JSONQuote.typographicWidth(bytes, position) {
                if curlyStrings.insert(start).inserted {
                    note(.jsonCurlyQuote, position, "a typographic quotation mark stands where a straight one belongs")
                }
                blank(position, width)
                bytes[position] = UInt8(ascii: "\"")
                return true
            }
            position += 1
        }
        guard bytes[location] == UInt8(ascii: "\n") || bytes[location] == UInt8(ascii: "\r") || bytes[location] == 0x22
        else {
            note(.jsonControlCharacter, location, "a control character in a string must be written as an escape")
            bytes[location] = UInt8(ascii: " ")
            return true
        }
        note(.jsonOpenString, start, "the string that begins here has no closing quotation mark on its line")
        guard bytes[location] != 0x22 else { return false }
        let last = bytes[..<location].lastIndex { !$0.isJSONSpace } ?? start
        if bytes[last] == UInt8(ascii: ","), last > start {
            bytes[last] = UInt8(ascii: "\"")
            bytes[location] = UInt8(ascii: ",")
        } else {
            bytes[location] = UInt8(ascii: "\"")
        }
        return true
    }

    // MARK: Comments and other text

    private mutating func mendComment(at location: Int) -> Bool {
        let text = rest(from: location)
        let end: Int
        if text.starts(with: "/*".utf8) {
            var position = location + 2
            while position + 1 < bytes.count, !(bytes[position] == 0x2A && bytes[position + 1] == 0x2F) {
                position += 1
            }
            end = min(position + 2, bytes.count)
        } else if text.starts(with: "//".utf8) || text.starts(with: "#".utf8) || text.starts(with: "<!--".utf8) {
            end = text.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.count
        } else {
            return false
        }
        note(.jsonComment, location, "a comment stands here, which JSON does not have")
        blank(location, end - location)
        return true
    }

    private mutating func mendInvisible(at location: Int) -> Bool {
        guard let width = JSONQuote.invisibleWidth(bytes, location) else { return false }
        note(.jsonInvisible, location, "an invisible character stands here, such as a space that does not break")
        blank(location, width)
        return true
    }

    /// `NOT "/x"`, `True`, `None`.
    private mutating func mendWord(at location: Int) -> Bool {
        let text = rest(from: location)
        if text.starts(with: "NOT".utf8) {
            let behind = text.dropFirst(3).drop { $0.isJSONSpace }
            guard behind.first == UInt8(ascii: "\"") else { return false }
            note(
                .jsonNotOutside, location, "NOT stands in front of the quotation mark; it belongs inside of the string")
            blank(location, behind.startIndex + 1 - location)
            let written = Array("\"NOT ".utf8)
            let start = behind.startIndex + 1 - written.count
            guard start >= location else { return false }
            bytes.replaceSubrange(start..<start + written.count, with: written)
            return true
        }
        for (wrong, right) in [
            ("True", "true"), ("False", "false"), ("None", "null"), ("NULL", "null"), ("TRUE", "true"),
            ("FALSE", "false"), ("Null", "null"),
        ]
        where text.starts(with: wrong.utf8) {
            note(.jsonWord, location, "\(wrong) is no JSON; did you mean \(right)?")
            bytes.replaceSubrange(location..<location + right.utf8.count, with: right.utf8)
            return true
        }
        return false
    }

    // MARK: Commas and brackets

    private mutating func mendCommas(_ error: JSONError) -> Bool {
        let location = error.offset
        if error.kind == .trailingComma {
            note(.jsonTrailingComma, location, "there is a trailing comma, and nothing follows it")
            bytes[location] = UInt8(ascii: " ")
            return true
        }
        if bytes[location] == UInt8(ascii: ",") {
            note(.jsonExtraComma, location, "a comma stands where a value or a name belongs")
            bytes[location] = UInt8(ascii: " ")
            return true
        }
        let startsValue = "\"{[".utf8.contains(bytes[location]) || JSONQuote.typographicWidth(bytes, location) != nil
        guard error.kind == .expectedComma, startsValue else { return false }
        let last = bytes[..<location].lastIndex { !$0.isJSONSpace } ?? location
        note(.jsonMissingComma, min(last + 1, location), "a comma is missing between this and what comes next")
        guard last + 1 < location else { return false }
        bytes[last + 1] = UInt8(ascii: ",")
        return true
    }

    private mutating func mendBrackets(_ error: JSONError) -> Bool {
        let location = error.offset
        let found = bytes[location]
        guard found == UInt8(ascii: "}") || found == UInt8(ascii: "]") else { return false }
        let scan = JSONScan(bytes, until: location)
        guard let open = scan.open.last else {
            note(.jsonExtraBracket, location, "this bracket closes nothing: all that was open is closed before it")
            bytes[location] = UInt8(ascii: " ")
            return true
        }
        guard open.closing != found else { return false }
        let position = JSONPosition(of: open.offset, in: bytes)
        note(
            .jsonMissingBracket, location,
            "\(Self.name(found)) stands here, but \(Self.name(open.opening)) of \(position) is still open: \(Self.name(open.closing)) is missing before it"
        )
        guard location > 0, bytes[location - 1].isJSONSpace else { return false }
        bytes[location - 1] = open.closing
        return true
    }

    /// The text ends too early.
    private mutating func mendEnd(_ error: JSONError) -> Bool {
        let scan = JSONScan(bytes, until: bytes.count)
        if let start = scan.openString {
            note(.jsonOpenString, start, "the string that begins here has no closing quotation mark")
            return false
        }
        guard !scan.open.isEmpty, error.kind == .expectedComma || error.kind == .expectedName else {
            faults.append(JSONFault(.jsonSyntax, at: error.offset, error.problem, mend: LintRule.jsonSyntax.usualMend))
            return false
        }
        let missing = String(decoding: scan.open.reversed().map(\.closing), as: UTF8.self)
        let locations = scan.open.reversed().prefix(4).map {
            "\(Self.name($0.opening)) of \(JSONPosition(of: $0.offset, in: bytes))"
        }
        var sentence = "\(missing) is missing: \(locations.joined(separator: " and ")) is never closed"
        var location = bytes.lastIndex { !$0.isJSONSpace }.map { $0 + 1 } ?? 0
        // Indentation shows the place: a closing bracket aligned with another opening bracket than its own.
        if let wrong = scan.misplaced() {
            let (closed, meant) = (
                JSONPosition(of: wrong.closed, in: bytes), JSONPosition(of: wrong.meant, in: bytes)
            )
            location = wrong.offset
            sentence +=
                "; probably before the bracket here, which stands under that of line \(meant.line) but closes that of line \(closed.line)"
        }
        note(.jsonMissingBracket, location, sentence)
        bytes += scan.open.reversed().map(\.closing)
        return true
    }

    private static func name(_ bracket: UInt8) -> String { String(Unicode.Scalar(bracket)) }

    // MARK: Bytes

    private func rest(from location: Int) -> ArraySlice<UInt8> { bytes[min(location, bytes.count)...] }

    private mutating func blank(_ location: Int, _ length: Int) {
        for position in location..<min(location + length, bytes.count) where bytes[position] != UInt8(ascii: "\n") {
            bytes[position] = UInt8(ascii: " ")
        }
    }

    private mutating func note(_ rule: LintRule, _ location: Int, _ sentence: String) {
        faults.append(JSONFault(rule, at: location, sentence, mend: rule.usualMend))
    }
}
