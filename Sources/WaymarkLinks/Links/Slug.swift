import WaymarkBytes

/// The part of a smart link after the domain: one to four segments with `/` in between, each of `A-Z a-z 0-9 - _ .` with
/// no dot first or last; 128 characters in all, case-sensitive. The first segment is none of those that the service
/// keeps for itself, and behind another segment the last is no QR code's name.
package struct Slug: Hashable, Sendable {
    package let text: String

    /// Nil if the text is not a slug; `problem(of:)` returns the reason.
    package init?(_ text: String) {
        guard Slug.problem(of: text) == nil else { return nil }
        self.text = text
    }

    /// Reserved first path segments.
    package static let reserved: Set<String> = [
        "api", "v1", "v2", ".well-known", "apple-app-site-association", "_", "healthz", "readyz", "metrics", "lazy",
        "favicon.ico", "robots.txt",
    ]

    package static let maximumLength = 128
    package static let maximumSegments = 4
    /// Appended to a slug in the URL of its QR code.
    package static let pictureNames: Set<String> = ["qr.png", "qr.svg"]
    /// 62^7 slugs: one in 3.5 million guesses hits one of a million links.
    package static let generatedLength = 7

    /// Why a text is not a slug.
    package enum Problem: String, Sendable, Equatable {
        case empty = "is empty"
        case tooLong = "is longer than 128 characters"
        case character = "may hold only A-Z a-z 0-9 - _ ."
        case outerDot = "must not start or end with a dot, nor may a segment"
        case reserved = "is reserved, or its first segment is"
        case emptySegment = "must not start or end with a slash, nor hold two in a row"
        case tooManySegments = "has more than four segments"
        case pictureName = "must not end in /qr.png or /qr.svg"
    }

    /// Nil for a valid slug.
    package static func problem(of text: String) -> Problem? {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last else { return .empty }
        guard bytes.count <= maximumLength else { return .tooLong }
        // Checked before the characters: for `.well-known`, "reserved" is the better message.
        if reserved.contains(text) { return .reserved }
        guard bytes.allSatisfy(isAllowed) else {
            return bytes.contains(UInt8(ascii: "/")) ? problem(ofSegments: text) : .character
        }
        guard first != UInt8(ascii: "."), last != UInt8(ascii: ".") else { return .outerDot }
        return nil
    }

    private static func problem(ofSegments text: String) -> Problem? {
        let segments = text.split(separator: "/", omittingEmptySubsequences: false)
        if let first = segments.first, reserved.contains(String(first)) { return .reserved }
        for segment in segments {
            guard let first = segment.utf8.first, let last = segment.utf8.last else { return .emptySegment }
            guard segment.utf8.allSatisfy(isAllowed) else { return .character }
            guard first != UInt8(ascii: "."), last != UInt8(ascii: ".") else { return .outerDot }
        }
        guard segments.count <= maximumSegments else { return .tooManySegments }
        if let last = segments.last, pictureNames.contains(String(last)) { return .pictureName }
        return nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isAlphanumeric || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_") || byte == UInt8(ascii: ".")
    }

    /// A slug that can't be guessed, as far as the generator can't: each character is drawn without bias from base62.
    ///
    /// - Parameter length: at least `generatedLength`; after a collision the service requests a longer one.
    package static func generate(
        length: Int = generatedLength, using generator: inout some RandomNumberGenerator
    ) -> Slug {
        let count = min(max(length, generatedLength), maximumLength)
        while true {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count)
            var word: UInt64 = 0
            var draws = 0
            while bytes.count < count {
                if draws == 0 { (word, draws) = (generator.next(), 10) }
                let draw = Int(word & 63)
                (word, draws) = (word >> 6, draws - 1)
                // Of 64 draws two are thrown away: a remainder would favour the first characters.
                if draw < Base62.alphabet.count { bytes.append(Base62.alphabet[draw]) }
            }
            // May be reserved: "healthz" and "metrics" have seven characters.
            if let slug = Slug(String(decoding: bytes, as: UTF8.self)) { return slug }
        }
    }
}
