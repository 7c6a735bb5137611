import WaymarkBytes

/// The places of a User-Agent in which tokens differ in weight (RFC 9110, section 10.1.5: products and comments).
struct UserAgentPlaces {
    /// The first comment without its parentheses. Empty if there is none.
    private(set) var comment: Range<Int> = 0..<0
    /// The fields behind `Android` in that comment: locale, model and build, as the device's maker writes them.
    private(set) var device: Range<Int> = 0..<0

    init(_ text: Span<UInt8>) {
        var start = 0
        while start < text.count, text[start] != UInt8(ascii: "(") { start &+= 1 }
        guard start < text.count else { return }
        comment = (start &+ 1)..<Self.end(text, start &+ 1)
        var field = comment.lowerBound
        var deviceStart: Int?
        while field < comment.upperBound {
            var nameStart = field
            while nameStart < comment.upperBound, text[nameStart] == 0x20 { nameStart &+= 1 }
            var end = nameStart
            while end < comment.upperBound, text[end] != UInt8(ascii: ";") { end &+= 1 }
            if let deviceStart {
                // A crawler may name itself in the comment of the phone that it stands for.
                if nameStart < end, text[nameStart] == UInt8(ascii: "+") || Self.begins(text, nameStart, "compatible") {
                    device = deviceStart..<nameStart
                    return
                }
            } else if Self.begins(text, nameStart, "windows") {
                // Windows phones claim to be Android, and name their browser behind it.
                return
            } else if Self.begins(text, nameStart, "android") || Self.begins(text, nameStart, "adr ") {
                deviceStart = end
            }
            field = end &+ 1
        }
        if let deviceStart { device = deviceStart..<comment.upperBound }
    }

    /// The end of a comment, which may hold others. One that isn't closed ends at the first parenthesis that could
    /// close it.
    private static func end(_ text: Span<UInt8>, _ start: Int) -> Int {
        var depth = 0
        var first: Int?
        for position in start..<text.count {
            if text[position] == UInt8(ascii: "(") { depth &+= 1 }
            guard text[position] == UInt8(ascii: ")") else { continue }
            if depth == 0 { return position }
            depth &-= 1
            first = first ?? position
        }
        return first ?? text.count
    }

    /// Whether a name, in small letters, begins at a position.
    private static func begins(_ text: Span<UInt8>, _ start: Int, _ name: StaticString) -> Bool {
        let count = name.utf8CodeUnitCount
        guard start &+ count <= text.count else { return false }
        // Safety: the name has `count` bytes and lives as long as the program.
        return name.withUTF8Buffer { known in
            (0..<count).allSatisfy { unsafe text[start &+ $0].lowercased == known[$0] }
        }
    }
}
