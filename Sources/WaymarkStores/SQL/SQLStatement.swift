package import WaymarkLinks

/// A statement that SQLite and PostgreSQL both understand, with its values: `$1` is the first.
///
/// Tables have no schema: PostgreSQL's connections look in `waymark`. No `::` casts: values say their types.
package struct SQLStatement: Sendable {
    package let text: String
    package let values: [SQLValue]
    /// Whether its rows are locked until the end of the transaction. SQLite has one writer, which needs no locks.
    package private(set) var locksRows = false

    package init(_ text: SQLText, _ values: SQLValue...) { self.init(text, values) }

    package init(_ text: SQLText, _ values: [SQLValue]) {
        self.text = text.text
        self.values = values
    }

    /// The numbers of the places, each where the text first names it.
    package var placesByFirstUse: [Int] {
        var places: [Int] = []
        places.reserveCapacity(values.count)
        var isKnown = [Bool](repeating: false, count: values.count + 1)
        var rest = Array(text.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "$")) {
            let digits = rest[(start + 1)...].prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            let number = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
            if number > 0, number < isKnown.count, !isKnown[number] {
                isKnown[number] = true
                places.append(number)
            }
            rest = rest[digits.endIndex...]
        }
        return places
    }

    package var lockingRows: SQLStatement {
        var locking = self
        locking.locksRows = true
        return locking
    }
}

/// The text of a statement: literals of this program only, so that no input becomes part of it.
package struct SQLText: ExpressibleByStringLiteral, Sendable {
    fileprivate let text: String

    package init(stringLiteral text: StaticString) { self.text = text.description }

    private init(text: String) { self.text = text }

    /// `$2, $3` for 2..<4.
    static func places(_ range: Range<Int>) -> SQLText {
        SQLText(text: range.map { "$\($0)" }.joined(separator: ", "))
    }

    package static func + (first: SQLText, second: SQLText) -> SQLText { SQLText(text: first.text + second.text) }
}

/// A value of a statement; nil is NULL.
package enum SQLValue: Sendable {
    case number(Int64?)
    /// ASCII.
    case text(String?)
    /// Any text. In PostgreSQL bytes, because its text can't contain U+0000.
    case unicode(String?)
    case bytes([UInt8]?)

    package static func number(_ number: Int) -> SQLValue { .number(Int64(number)) }
    package static func flag(_ flag: Bool) -> SQLValue { .number(flag ? 1 : 0) }
    package static func time(_ time: Timestamp?) -> SQLValue { .number(time?.rawValue) }
}
