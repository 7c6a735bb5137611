import WaymarkBytes

extension JSONReader {
    /// Reads a string, from its opening to its closing quotation mark.
    mutating func string() throws(JSONError) -> String {
        let start = position + 1
        var end = start
        var isASCII = true
        while end < source.count {
            switch source[end] {
            case UInt8(ascii: "\""):
                let text = try text(of: source[start..<end], isASCII: isASCII, from: start, to: end)
                position = end + 1
                return text
            case UInt8(ascii: "\\"):
                return try escapedString(from: start, firstEscape: end)
            case 0x00..<0x20:
                throw unescapedControl(at: end)
            case 0x80...0xFF:
                isASCII = false
                end += 1
            default:
                end += 1
            }
        }
        throw failure(.openString, "a string has no closing quotation mark", at: position)
    }

    /// The slow path: the decoded text is not a slice of the source.
    private mutating func escapedString(from start: Int, firstEscape: Int) throws(JSONError) -> String {
        let opening = position
        var decoded = Array(source[start..<firstEscape])
        position = firstEscape
        while let byte = current {
            switch byte {
            case UInt8(ascii: "\""):
                // An escape encodes whole scalars, so the decoded bytes are valid exactly if the source is.
                let text = try text(of: decoded[...], isASCII: false, from: start, to: position)
                position += 1
                return text
            case UInt8(ascii: "\\"):
                try escape(into: &decoded)
            case 0x00..<0x20:
                throw unescapedControl(at: position)
            default:
                decoded.append(byte)
                position += 1
            }
        }
        throw failure(.openString, "a string has no closing quotation mark", at: opening)
    }

    /// Decodes one escape (RFC 8259, section 7), starting at its backslash.
    private mutating func escape(into decoded: inout [UInt8]) throws(JSONError) {
        let backslash = position
        position += 1
        switch current {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): decoded.append(source[position])
        case UInt8(ascii: "b"): decoded.append(0x08)
        case UInt8(ascii: "f"): decoded.append(0x0C)
        case UInt8(ascii: "n"): decoded.append(0x0A)
        case UInt8(ascii: "r"): decoded.append(0x0D)
        case UInt8(ascii: "t"): decoded.append(0x09)
        case UInt8(ascii: "u"):
            decoded.append(contentsOf: String(Character(try unicodeEscape(from: backslash))).utf8)
            return
        default:
            throw failure(.escape, "a backslash must start an escape that JSON knows", at: backslash)
        }
        position += 1
    }

    /// Reads one `\u` with four hex digits, or two that form a surrogate pair.
    private mutating func unicodeEscape(from backslash: Int) throws(JSONError) -> Unicode.Scalar {
        let lead = try hexadecimalUnit(from: backslash)
        if let scalar = Unicode.Scalar(lead) { return scalar }
        let second = position
        if lead < 0xDC00, current == UInt8(ascii: "\\") {
            position += 1
            if current == UInt8(ascii: "u") {
                let trail = try hexadecimalUnit(from: second)
                if (0xDC00...0xDFFF).contains(trail),
                    let scalar = Unicode.Scalar(0x10000 + (lead - 0xD800) << 10 + (trail - 0xDC00))
                {
                    return scalar
                }
            }
        }
        throw failure(.escape, "half of a surrogate pair stands alone", at: backslash)
    }

    /// Reads the `u` and the four digits.
    private mutating func hexadecimalUnit(from backslash: Int) throws(JSONError) -> UInt32 {
        position += 1
        var unit: UInt32 = 0
        for _ in 0..<4 {
            guard let byte = current, let digit = byte.hexadecimalValue else {
                throw failure(.escape, "four hexadecimal digits must follow \\u", at: backslash)
            }
            unit = unit << 4 | UInt32(digit)
            position += 1
        }
        return unit
    }

    private func unescapedControl(at offset: Int) -> JSONError {
        failure(.controlCharacter, "a control character in a string must be written as an escape", at: offset)
    }

    /// The bytes as a string; if they are not UTF-8, an error at the first invalid byte of `start..<end` in the
    /// source.
    private func text(
        of bytes: ArraySlice<UInt8>, isASCII: Bool, from start: Int, to end: Int
    ) throws(JSONError) -> String {
        if isASCII { return String(decoding: bytes, as: UTF8.self) }
        guard let text = String(validUTF8: bytes) else {
            throw failure(.notUTF8, "the text is not valid UTF-8", at: firstInvalidByte(from: start, to: end))
        }
        return text
    }

    /// The first byte that does not start a well-formed sequence (RFC 3629).
    private func firstInvalidByte(from start: Int, to end: Int) -> Int {
        var index = start
        while index < end {
            let length: Int
            switch source[index] {
            case 0x00...0x7F: length = 1
            case 0xC2...0xDF: length = 2
            case 0xE0...0xEF: length = 3
            case 0xF0...0xF4: length = 4
            default: return index
            }
            let next = index + length
            guard next <= end, String(validUTF8: source[index..<next]) != nil else { return index }
            index = next
        }
        return start
    }
}
