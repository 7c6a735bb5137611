import WaymarkBytes

/// Turns the bytes of one JSON text into a value (RFC 8259): recursive descent, one byte of look-ahead, every byte
/// looked at once (twice where a string holds an escape or is not ASCII). Any input whatever gives a value or an error.
struct JSONReader {
    let source: [UInt8]
    var position = 0
    private let depthLimit: Int
    /// Whether an object may contain duplicate names; `repeatedMembers` lists them.
    var keepsRepeatedMembers = false
    /// Whether the last of duplicate names wins; otherwise the first.
    var replacesRepeatedMembers = true
    private(set) var repeatedMembers: [JSONObject.Member] = []
    /// Arrays and objects beyond their limit: their start, with their number of elements.
    private(set) var overlong: [Int: Int] = [:]
    /// Whether the value contains everything in the text.
    private(set) var isWhole = true

    /// Reading recurses, and a thread's stack may be as small as 512 KiB (macOS, all but the main thread).
    static let greatestDepthLimit = 128

    init(_ source: [UInt8], depthLimit: Int) {
        self.source = source
        self.depthLimit = min(max(depthLimit, 1), Self.greatestDepthLimit)
    }

    mutating func document(_ shape: JSONShape = .any) throws(JSONError) -> JSONValue {
        guard !source.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw failure(.byteOrderMark, "a JSON text must not start with a byte order mark", at: 0)
        }
        let value = try value(depth: 0, shape)
        skipWhitespace()
        guard position == source.count else {
            throw failure(.moreText, "nothing may follow the value, but \(found) does")
        }
        return value
    }

    /// Reads the value at `start`, in a text that has been validated before.
    ///
    /// - Parameter depth: number of arrays and objects that enclose the value.
    mutating func part(from start: Int, depth: Int, _ shape: JSONShape) throws(JSONError) -> JSONValue {
        position = start
        return try value(depth: depth, shape)
    }

    /// - Parameter depth: number of arrays and objects that enclose the value.
    private mutating func value(depth: Int, _ shape: JSONShape) throws(JSONError) -> JSONValue {
        skipWhitespace()
        let start = position
        switch current {
        case UInt8(ascii: "\""):
            return JSONValue(.string(try string()), at: start..<position)
        case UInt8(ascii: "{"):
            if case .bytes(let limit) = shape { return try bounded(depth: depth, limit) }
            if shape.wantsObject { return try object(depth: depth + 1, shape) }
            return JSONValue(.object(JSONObject()), at: try pass(depth: depth))
        case UInt8(ascii: "["):
            if case .bytes(let limit) = shape { return try bounded(depth: depth, limit) }
            if let elements = shape.elements { return try array(depth: depth + 1, elements.shape, elements.limit) }
            return JSONValue(.array([]), at: try pass(depth: depth))
        case let byte? where byte == UInt8(ascii: "-") || byte.isDigit:
            return JSONValue(.number(try number()), at: start..<position)
        case UInt8(ascii: "t"):
            try word("true")
            return JSONValue(.bool(true), at: start..<position)
        case UInt8(ascii: "f"):
            try word("false")
            return JSONValue(.bool(false), at: start..<position)
        case UInt8(ascii: "n"):
            try word("null")
            return JSONValue(.null, at: start..<position)
        default:
            throw failure(.expectedValue, "a value was expected here, not \(found)")
        }
    }

    private mutating func object(depth: Int, _ shape: JSONShape) throws(JSONError) -> JSONValue {
        let start = position
        try open(depth: depth)
        var object = JSONObject()
        // Members with names unknown to the shape.
        var others = 0
        skipWhitespace()
        guard current != UInt8(ascii: "}") else {
            position += 1
            return JSONValue(.object(object), at: start..<position)
        }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else {
                throw failure(.expectedName, "the name of a member in quotation marks was expected here, not \(found)")
            }
            let nameStart = position
            let name = try string()
            let nameRange = nameStart..<position
            try colon()
            let known = shape.member(name)
            let limit = known == nil ? JSONShape.unknownLimit : shape.chosenNameLimit
            if limit < .max { others += 1 }
            guard others <= limit else {
                if known != nil { overlong[start] = others }
                isWhole = false
                try passValue(depth: depth)
                if try close(with: UInt8(ascii: "}"), "a comma or } was expected after a member") { break }
                continue
            }
            let value = try value(depth: depth, known ?? .scalar)
            let member = JSONObject.Member(name: name, value: value, nameRange: nameRange)
            if !object.append(member) {
                guard keepsRepeatedMembers else {
                    throw failure(
                        .repeatedMember, "the member \(Self.quoted(name)) stands twice in one object", at: nameStart)
                }
                repeatedMembers.append(member)
                if replacesRepeatedMembers { object.replace(member) }
            }
            if try close(with: UInt8(ascii: "}"), "a comma or } was expected after a member") { break }
        }
        return JSONValue(.object(object), at: start..<position)
    }

    private mutating func array(
        depth: Int, _ shape: JSONShape, _ limit: Int
    ) throws(JSONError) -> JSONValue {
        let start = position
        try open(depth: depth)
        var elements: [JSONValue] = []
        skipWhitespace()
        guard current != UInt8(ascii: "]") else {
            position += 1
            return JSONValue(.array(elements), at: start..<position)
        }
        var count = 0
        while true {
            count += 1
            if count <= limit {
                elements.append(try value(depth: depth, shape))
            } else {
                try passValue(depth: depth)
            }
            if try close(with: UInt8(ascii: "]"), "a comma or ] was expected after an element") { break }
        }
        if count > limit {
            overlong[start] = count
            isWhole = false
        }
        return JSONValue(.array(elements), at: start..<position)
    }

    /// Skips the opening bracket, or throws if it is nested too deeply.
    mutating func open(depth: Int) throws(JSONError) {
        guard depth <= depthLimit else {
            throw failure(.tooDeep, "arrays and objects stand more than \(depthLimit) deep inside one another")
        }
        position += 1
    }

    /// True after the closing bracket, false after a comma; anything else is an error.
    mutating func close(with bracket: UInt8, _ expected: StaticString) throws(JSONError) -> Bool {
        skipWhitespace()
        switch current {
        case bracket:
            position += 1
            return true
        case UInt8(ascii: ","):
            let comma = position
            position += 1
            skipWhitespace()
            guard current != bracket else {
                throw failure(.trailingComma, "a comma must not stand before the end", at: comma)
            }
            return false
        default:
            throw failure(.expectedComma, "\(expected), not \(found)")
        }
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        try passNumber()
        return JSONNumber(validated: String(decoding: source[start..<position], as: UTF8.self))
    }

    /// Skips a number.
    mutating func passNumber() throws(JSONError) {
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
            if let next = current, next.isDigit {
                throw failure(.number, "a number must not start with 0 where more digits follow")
            }
        } else {
            try digits("a digit was expected after the minus sign")
        }
        if current == UInt8(ascii: ".") {
            position += 1
            try digits("a digit was expected after the decimal point")
        }
        if current == UInt8(ascii: "e") || current == UInt8(ascii: "E") {
            position += 1
            if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
            try digits("a digit was expected in the exponent")
        }
    }

    /// Skips the colon between a name and its value.
    mutating func colon() throws(JSONError) {
        skipWhitespace()
        guard current == UInt8(ascii: ":") else {
            throw failure(.expectedColon, "a colon was expected after the name of a member, not \(found)")
        }
        position += 1
    }

    /// A value, if it is short enough.
    private mutating func bounded(depth: Int, _ limit: Int) throws(JSONError) -> JSONValue {
        let isObject = current == UInt8(ascii: "{")
        let start = position
        try passValue(depth: depth)
        let range = start..<position
        guard range.count > limit else { return try part(from: start, depth: depth, .any) }
        isWhole = false
        return JSONValue(isObject ? .object(JSONObject()) : .array([]), at: range)
    }

    /// Skips the value and returns its range.
    private mutating func pass(depth: Int) throws(JSONError) -> Range<Int> {
        let start = position
        try passValue(depth: depth)
        isWhole = false
        return start..<position
    }

    /// Skips one or more digits.
    private mutating func digits(_ expected: StaticString) throws(JSONError) {
        guard let first = current, first.isDigit else { throw failure(.number, "\(expected), not \(found)") }
        while let next = current, next.isDigit { position += 1 }
    }

    mutating func word(_ word: String) throws(JSONError) {
        let end = position + word.utf8.count
        guard end <= source.count, source[position..<end].elementsEqual(word.utf8) else {
            throw failure(.expectedValue, "a value was expected here; did you mean \(word)?")
        }
        position = end
    }

    mutating func skipWhitespace() {
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    /// The current byte; nil at the end.
    var current: UInt8? { position < source.count ? source[position] : nil }
}

extension JSONReader {
    func failure(_ kind: JSONError.Kind, _ problem: String, at offset: Int? = nil) -> JSONError {
        JSONError(kind, problem, at: offset ?? position, in: source)
    }

    /// The current byte as text, for messages.
    var found: String {
        guard let byte = current else { return "the end of the text" }
        switch byte {
        case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
        case 0x80...0xFF: return "a character beyond ASCII"
        default: return "white space or a control character"
        }
    }

    /// An untrusted name, fit for one line of a log: escaped and at most 64 scalars.
    static func quoted(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let short = scalars.count > 64 ? String(scalars.prefix(64)) + "…" : name
        return String(decoding: JSONValue(short).bytes(), as: UTF8.self)
    }
}
