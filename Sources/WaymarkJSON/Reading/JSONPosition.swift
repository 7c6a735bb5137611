/// A place in a text as people count: line and column, both from 1.
package struct JSONPosition: Sendable, Equatable {
    package let line: Int
    /// In Unicode scalars.
    package let column: Int

    /// Linear in `offset`: meant for messages, not for every value. An offset outside of the text counts as its end.
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
