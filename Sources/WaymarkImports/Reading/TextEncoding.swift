/// In which encoding a text is.
enum TextEncoding: Sendable, Equatable {
    case utf8
    case utf16(isLittleEndian: Bool)
    /// Of Windows in Western Europe, and MySQL's `latin1`.
    case windows1252
    /// ISO 8859-1.
    case latin1

    /// By a byte order mark, or by the zeros that UTF-16 has beside ASCII; nil for other texts. `length` is that of the mark.
    static func marked(_ head: some Collection<UInt8>) -> (encoding: TextEncoding, length: Int)? {
        if head.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
        if head.starts(with: [0xFF, 0xFE]) { return (.utf16(isLittleEndian: true), 2) }
        if head.starts(with: [0xFE, 0xFF]) { return (.utf16(isLittleEndian: false), 2) }
        let zeros = head.prefix(4).map { $0 == 0 }
        if zeros == [false, true, false, true] { return (.utf16(isLittleEndian: true), 0) }
        if zeros == [true, false, true, false] { return (.utf16(isLittleEndian: false), 0) }
        return nil
    }

    /// Appends the character of one byte of a text of single bytes. One that stands for none stays as it is, so that the text
    /// is not valid.
    func append(_ byte: UInt8, to text: inout [UInt8]) {
        let scalar =
            self == .windows1252 && (0x80...0x9F).contains(byte) ? Self.windows[Int(byte - 0x80)] : UInt16(byte)
        switch scalar {
        case 0: text.append(byte)
        case ..<0x80: text.append(byte)
        case ..<0x800: text += [0xC0 | UInt8(scalar >> 6), 0x80 | UInt8(scalar & 0x3F)]
        default:
            text += [0xE0 | UInt8(scalar >> 12), 0x80 | UInt8((scalar >> 6) & 0x3F), 0x80 | UInt8(scalar & 0x3F)]
        }
    }

    /// 0x80 to 0x9F (https://www.unicode.org/Public/MAPPINGS/VENDORS/MICSFT/WINDOWS/CP1252.TXT); 0: none.
    private static let windows: [UInt16] = [
        0x20AC, 0, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0, 0x017D, 0,
        0, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0, 0x017E,
        0x0178,
    ]
}

/// Finds characters of several bytes in UTF-8 (RFC 3629, section 4).
struct UTF8Finder {
    private var missing = 0
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// Whether the byte ends such a character.
    mutating func take(_ byte: UInt8) -> Bool {
        if missing > 0, allowed.contains(byte) {
            missing -= 1
            allowed = 0x80...0xBF
            return missing == 0
        }
        allowed = 0x80...0xBF
        switch byte {
        case 0xC2...0xDF: missing = 1
        case 0xE0: (missing, allowed) = (2, 0xA0...0xBF)
        case 0xED: (missing, allowed) = (2, 0x80...0x9F)
        case 0xE1...0xEF: missing = 2
        case 0xF0: (missing, allowed) = (3, 0x90...0xBF)
        case 0xF1...0xF3: missing = 3
        case 0xF4: (missing, allowed) = (3, 0x80...0x8F)
        default: missing = 0
        }
        return false
    }
}
