/// Turns the bytes of one JSON text into a value (RFC 8259): recursive descent, one byte of look-ahead, every byte
/// looked at once (twice where a string holds an escape or is not ASCII). Any input whatever gives a value or an error.
struct JSONReader {
    let source: [UInt8]
    var position = 0
    private let depthLimit: Int
    /// Whether a name may stand twice in one object; the last counts then, and `repeatedMembers` lists them.
    var keepsRepeatedMembers = false
    private(set) var repeatedMembers: [JSONObject.Member] = []

    /// Reading recurses, and the stack of a thread may be as small as 512 KiB (macOS, all but the first).
    static let greatestDepthLimit = 128

    init(_ source: [UInt8], depthLimit: Int) {
        self.source = source
        self.depthLimit = min(max(depthLimit, 1), Self.greatestDepthLimit)
    }

    mutating func document() throws(JSONError) -> JSONValue {
        guard !source.starts(with: [0xEF, 0xBB, 0xBF]) else {
            throw failure("a JSON text must not start with a byte order mark", at: 0)
        }
        let value = try value(depth: 0)
        skipWhitespace()
        guard position == source.count else { throw failure("nothing may follow the value, but \(found) does") }
        return value
    }

    /// - Parameter depth: how many arrays and objects are open around the value.
    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        skipWhitespace()
        let start = position
        switch current {
        case UInt8(ascii: "\""):
            return JSONValue(.string(try string()), at: start..<position)
        case UInt8(ascii: "{"):
            return try object(depth: depth + 1)
        case UInt8(ascii: "["):
            return try array(depth: depth + 1)
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
            throw failure("a value was expected here, not \(found)")
        }
    }

    private mutating func object(depth: Int) throws(JSONError) -> JSONValue {
        let start = position
        try open(depth: depth)
        var object = JSONObject()
        skipWhitespace()
        guard current != UInt8(ascii: "}") else {
            position += 1
            return JSONValue(.object(object), at: start..<position)
        }
        while true {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else {
                throw failure("the name of a member in quotation marks was expected here, not \(found)")
            }
            let nameStart = position
            let name = try string()
            let nameRange = nameStart..<position
            skipWhitespace()
            guard current == UInt8(ascii: ":") else {
                throw failure("a colon was expected after the name of a member, not \(found)")
            }
            position += 1
            let value = try value(depth: depth)
            let member = JSONObject.Member(name: name, value: value, nameRange: nameRange)
            if !object.append(member) {
                guard keepsRepeatedMembers else {
                    throw failure("the member \(Self.quoted(name)) stands twice in one object", at: nameStart)
                }
                repeatedMembers.append(member)
                object.replace(member)
            }
            if try close(with: UInt8(ascii: "}"), "a comma or } was expected after a member") { break }
        }
        return JSONValue(.object(object), at: start..<position)
    }

    private mutating func array(depth: Int) throws(JSONError) -> JSONValue {
        let start = position
        try open(depth: depth)
        var elements: [JSONValue] = []
        skipWhitespace()
        guard current != UInt8(ascii: "]") else {
            position += 1
            return JSONValue(.array(elements), at: start..<position)
        }
        while true {
            elements.append(try value(depth: depth))
            if try close(with: UInt8(ascii: "]"), "a comma or ] was expected after an element") { break }
        }
        return JSONValue(.array(elements), at: start..<position)
    }

    /// Steps over the opening bracket unless it stands too deep.
    private mutating func open(depth: Int) throws(JSONError) {
        guard depth <= depthLimit else {
            throw failure("arrays and objects stand more than \(depthLimit) deep inside one another")
        }
        position += 1
    }

    /// True past the closing bracket, false past a comma; anything else is an error.
    private mutating func close(with bracket: UInt8, _ expected: StaticString) throws(JSONError) -> Bool {
        skipWhitespace()
        switch current {
        case bracket:
            position += 1
            return true
        case UInt8(ascii: ","):
            let comma = position
            position += 1
            skipWhitespace()
            guard current != bracket else { throw failure("a comma must not stand before the end", at: comma) }
            return false
        default:
            throw failure("\(expected), not \(found)")
        }
    }

    private mutating func number() throws(JSONError) -> JSONNumber {
        let start = position
        if current == UInt8(ascii: "-") { position += 1 }
        if current == UInt8(ascii: "0") {
            position += 1
            if let next = current, next.isDigit {
                throw failure("a number must not start with 0 where more digits follow")
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
        return JSONNumber(validated: String(decoding: source[start..<position], as: UTF8.self))
    }

    /// Steps over one digit or more.
    private mutating func digits(_ expected: StaticString) throws(JSONError) {
        guard let first = current, first.isDigit else { throw failure("\(expected), not \(found)") }
        while let next = current, next.isDigit { position += 1 }
    }

    private mutating func word(_ word: String) throws(JSONError) {
        let end = position + word.utf8.count
        guard end <= source.count, source[position..<end].elementsEqual(word.utf8) else {
            throw failure("a value was expected here; did you mean \(word)?")
        }
        position = end
    }

    private mutating func skipWhitespace() {
        while position < source.count {
            switch source[position] {
            case UInt8(ascii: " "), UInt8(ascii: "\n"), UInt8(ascii: "\r"), UInt8(ascii: "\t"): position += 1
            default: return
            }
        }
    }

    /// The byte to look at; nil at the end.
    var current: UInt8? { position < source.count ? source[position] : nil }
}

extension JSONReader {
    func failure(_ problem: String, at offset: Int? = nil) -> JSONError {
        JSONError(problem, at: offset ?? position, in: source)
    }

    /// What stands at the position, in words.
    var found: String {
        guard let byte = current else { return "the end of the text" }
        switch byte {
        case 0x21...0x7E: return "'\(Character(Unicode.Scalar(byte)))'"
        case 0x80...0xFF: return "a character beyond ASCII"
        default: return "white space or a control character"
        }
    }

    /// A name from a stranger's text, fit for one line of a log: escaped and at most 64 scalars.
    static func quoted(_ name: String) -> String {
        let scalars = name.unicodeScalars
        let short = scalars.count > 64 ? String(scalars.prefix(64)) + "…" : name
        return String(decoding: JSONValue(short).bytes(), as: UTF8.self)
    }
}

extension UInt8 {
    fileprivate var isDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }
}
