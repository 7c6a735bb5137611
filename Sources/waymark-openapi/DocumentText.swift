import WaymarkJSON

/// The layout of the document: a value that fits is on one line, others have a line for each member or element.
struct DocumentText {
    private static let width = 120
    private(set) var text = ""

    init(_ value: JSONValue) {
        append(value, indentation: 0, column: 0)
        text += "\n"
    }

    /// - Parameter column: the width of what is on the line before the value.
    private mutating func append(_ value: JSONValue, indentation: Int, column: Int) {
        let line = Self.line(value)
        // The comma behind it, too.
        guard column + line.count + 1 > Self.width else {
            text += line
            return
        }
        let pad = String(repeating: " ", count: indentation + 2)
        switch value.kind {
        case .object(let object):
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                let name = "\(pad)\(JSONValue(member.name).text()): "
                text += name
                append(member.value, indentation: indentation + 2, column: name.count)
                text += index + 1 < object.count ? ",\n" : "\n"
            }
            text += String(repeating: " ", count: indentation) + "}"
        case .array(let elements):
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += pad
                append(element, indentation: indentation + 2, column: pad.count)
                text += index + 1 < elements.count ? ",\n" : "\n"
            }
            text += String(repeating: " ", count: indentation) + "]"
        default: text += line
        }
    }

    private static func line(_ value: JSONValue) -> String {
        switch value.kind {
        case .object(let object) where !object.isEmpty:
            "{ " + object.members.map { "\(JSONValue($0.name).text()): \(line($0.value))" }.joined(separator: ", ")
                + " }"
        case .array(let elements): "[" + elements.map(line).joined(separator: ", ") + "]"
        default: value.text()
        }
    }
}
