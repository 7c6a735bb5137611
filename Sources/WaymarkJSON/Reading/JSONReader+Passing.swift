import WaymarkBytes

/// Checks the grammar of what nobody wants to keep: no value is made, so that nothing is allocated.
extension JSONReader {
    /// Skips a value. Does not check for duplicate names in an object, which would take memory.
    mutating func passValue(depth: Int) throws(JSONError) {
        skipWhitespace()
        switch current {
        case UInt8(ascii: "\""): try passString()
        case UInt8(ascii: "{"):
            try open(depth: depth + 1)
            try passMembers(depth: depth + 1)
        case UInt8(ascii: "["):
            try open(depth: depth + 1)
            try passElements(depth: depth + 1)
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        case let byte? where byte == UInt8(ascii: "-") || byte.isDigit: try passNumber()
        default: throw failure(.expectedValue, "a value was expected here, not \(found)")
        }
    }

    private mutating func passMembers(depth: Int) throws(JSONError) {
        skipWhitespace()
        guard current != UInt8(ascii: "}") else {
            position += 1
            return
        }
        repeat {
            skipWhitespace()
            guard current == UInt8(ascii: "\"") else {
                throw failure(.expectedName, "the name of a member in quotation marks was expected here, not \(found)")
            }
            try passString()
            try colon()
            try passValue(depth: depth)
        } while try !close(with: UInt8(ascii: "}"), "a comma or } was expected after a member")
    }

    private mutating func passElements(depth: Int) throws(JSONError) {
        skipWhitespace()
        guard current != UInt8(ascii: "]") else {
            position += 1
            return
        }
        repeat {
            try passValue(depth: depth)
        } while try !close(with: UInt8(ascii: "]"), "a comma or ] was expected after an element")
    }

    private mutating func passString() throws(JSONError) {
        var end = position + 1
        while end < source.count {
            switch source[end] {
            case UInt8(ascii: "\""):
                position = end + 1
                return
            // Escapes and non-ASCII characters are rare in such values, so they take the normal path.
            case UInt8(ascii: "\\"), 0x80...0xFF, 0x00..<0x20:
                _ = try string()
                return
            default: end += 1
            }
        }
        throw failure(.openString, "a string has no closing quotation mark")
    }
}

// Literals for responses and tests: `["state": "active", "clicks": 0, "tags": []]`.

extension JSONValue: ExpressibleByNilLiteral {
    package init(nilLiteral: ()) { self.init(.null) }
}

extension JSONValue: ExpressibleByBooleanLiteral {
    package init(booleanLiteral value: Bool) { self.init(value) }
}

extension JSONValue: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int) { self.init(value) }
}

extension JSONValue: ExpressibleByStringLiteral, ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}

extension JSONValue: ExpressibleByArrayLiteral {
    package init(arrayLiteral elements: JSONValue...) { self.init(elements) }
}

extension JSONValue: ExpressibleByDictionaryLiteral {
    /// Members keep their order; of duplicates the last wins.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        var object = JSONObject()
        for (name, value) in members { object[name] = value }
        self.init(object)
    }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
    /// Members keep their order; of duplicates the last wins.
    package init(dictionaryLiteral members: (String, JSONValue)...) {
        self.init()
        for (name, value) in members { self[name] = value }
    }
}
