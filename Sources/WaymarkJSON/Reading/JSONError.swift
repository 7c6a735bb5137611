/// Why a text is not JSON, and where.
package struct JSONError: Error, Sendable, Equatable {
    /// The kind of error, for code; `problem` is for people.
    package enum Kind: Sendable, Equatable, CaseIterable {
        case byteOrderMark
        case notUTF8
        case expectedValue
        case expectedName
        case expectedColon
        /// After a member or an element: a comma or the closing bracket.
        case expectedComma
        case trailingComma
        case number
        case controlCharacter
        case openString
        case escape
        case tooDeep
        case repeatedMember
        /// Text follows the value.
        case moreText
    }

    package let kind: Kind
    /// Offset of the byte at which reading stopped, from 0.
    package let offset: Int
    /// From 1.
    package let line: Int
    /// From 1, in Unicode scalars.
    package let column: Int
    /// One sentence on one line, without its full stop.
    package let problem: String

    init(_ kind: Kind, _ problem: String, at offset: Int, in source: [UInt8]) {
        let position = JSONPosition(of: offset, in: source)
        self.kind = kind
        self.offset = offset
        self.line = position.line
        self.column = position.column
        self.problem = problem
    }
}

extension JSONError: CustomStringConvertible {
    /// One line: `line 3, column 7: …`.
    package var description: String { "line \(line), column \(column): \(problem)" }
}

/// A line and a column in a text, both from 1.
package struct JSONPosition: Sendable, Equatable {
    package let line: Int
    /// In Unicode scalars.
    package let column: Int

    /// Linear in `offset`: meant for messages, not for every value. An offset outside of the text is treated as its
    /// end.
    package init(of offset: Int, in source: [UInt8]) {
        let end = min(max(offset, 0), source.count)
        var line = 1
        var column = 1
        for index in 0..<end {
            switch source[index] {
            case UInt8(ascii: "\n"):
                line += 1
                column = 1
            case UInt8(ascii: "\r") where !(index + 1 < source.count && source[index + 1] == UInt8(ascii: "\n")):
                line += 1
                column = 1
            case 0x80...0xBF:
                // Continuation bytes belong to the scalar before them.
                break
            default:
                column += 1
            }
        }
        self.line = line
        self.column = column
    }
}

extension JSONPosition: CustomStringConvertible {
    package var description: String { "line \(line), column \(column)" }
}
