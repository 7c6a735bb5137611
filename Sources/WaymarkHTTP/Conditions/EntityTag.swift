/// An entity tag (RFC 9110 section 8.8.3) and its comparison with If-Match and If-None-Match.
package struct EntityTag: Sendable, Equatable {
    /// The text between the quotation marks.
    package let opaque: String
    package let isWeak: Bool

    /// Nil if `opaque` holds a quotation mark, white space or a control character.
    package init?(_ opaque: String, isWeak: Bool = false) {
        guard opaque.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }) else { return nil }
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// The tag as sent.
    package var text: String { (isWeak ? "W/\"" : "\"") + opaque + "\"" }

    /// Whether a precondition field, over all its lines, lists this tag or is `*`. False if the field is absent.
    ///
    /// - Parameters:
    ///   - field: `.ifMatch`, compared strongly (a weak tag matches nothing), or `.ifNoneMatch`, compared weakly.
    package func isNamed(by field: RequestField, _ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        for position in 0..<head.fieldCount {
            let line = head.field(at: position)
            guard line.known == field else { continue }
            if isListed(in: bytes.extracting(line.value.indices), isStrong: field != .ifNoneMatch) { return true }
        }
        return false
    }

    /// Whether a list of tags contains this one, or is `*`. Malformed elements are skipped.
    ///
    /// - Parameter isStrong: whether to compare strongly (section 8.8.3.2): then a weak tag on either side matches
    ///   nothing.
    package func isListed(in list: Span<UInt8>, isStrong: Bool) -> Bool {
        var position = 0
        while position < list.count {
            if list[position].isBlank || list[position] == UInt8(ascii: ",") {
                position += 1
                continue
            }
            // Not parsed like other lists: a backslash is part of a tag and escapes nothing.
            let start = position
            var opening = start
            if list.count - start > 2, list[start] == UInt8(ascii: "W"), list[start + 1] == UInt8(ascii: "/") {
                opening += 2
            }
            var end = opening
            if list[opening] == 0x22 {
                end += 1
                while end < list.count, list[end] != 0x22 { end += 1 }
                if end < list.count { end += 1 }
            }
            position = end
            var isAlone = true
            while position < list.count, list[position] != UInt8(ascii: ",") {
                if !list[position].isBlank { isAlone = false }
                position += 1
            }
            if start == end {
                // Not a tag, unless it is the asterisk.
                if ByteRange(start, position).trimmed(in: list).count == 1, list[start] == UInt8(ascii: "*") {
                    return true
                }
            } else if isAlone, equals(list, ByteRange(opening, end), isWeak: opening > start, isStrong: isStrong) {
                return true
            }
        }
        return false
    }

    private func equals(_ bytes: Span<UInt8>, _ quoted: ByteRange, isWeak isOtherWeak: Bool, isStrong: Bool) -> Bool {
        if isStrong && (isWeak || isOtherWeak) { return false }
        let start = Int(quoted.start)
        let end = Int(quoted.end)
        guard end - start == opaque.utf8.count + 2, bytes[start] == 0x22, bytes[end - 1] == 0x22 else { return false }
        var position = start + 1
        for byte in opaque.utf8 {
            if bytes[position] != byte { return false }
            position += 1
        }
        return true
    }
}
