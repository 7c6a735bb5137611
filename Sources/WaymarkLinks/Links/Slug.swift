import WaymarkBytes

/// The part of a smart link after the domain: one to four segments with `/` in between, each of letters, marks and
/// digits of any script, emoji, and `- _ . ~ @`, with no dot first or last; 128 Unicode scalars and 512 bytes in all,
/// in Unicode's composed form (NFC), case-sensitive. The first segment is not `reserved`, and after another
/// segment the last is not the name of a QR code. An application may demand more: `SlugRules`.
package struct Slug: Hashable, Sendable {
    package let text: String

    /// Nil if the text is not a slug; `problem(of:)` returns the reason. Text in another Unicode form is composed.
    package init?(_ text: String) {
        guard let composed = Slug.composed(text), Slug.problem(ofComposed: composed) == nil else { return nil }
        self.text = composed
    }

    /// As it stands in URLs: percent-encoded where it is not ASCII (RFC 3986 section 2.5).
    package var encoded: String { PercentEncoding.encode(text, allowed: Slug.unencoded) }

    private static let unencoded = ASCIISet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/@")

    /// Reserved first path segments.
    package static let reserved: Set<String> = [
        "api", ".well-known", "apple-app-site-association", "_", "healthz", "readyz", "metrics", "favicon.ico",
        "robots.txt",
    ]

    /// In Unicode scalars.
    package static let maximumLength = 128
    package static let maximumBytes = 512
    package static let maximumSegments = 4
    /// Appended to a slug in the URL of its QR code.
    package static let pictureNames: Set<String> = ["qr.png", "qr.svg"]
    /// 62^7 slugs: one in 3.5 million guesses hits one of a million links.
    package static let generatedLength = 7

    /// Why a text is not a slug.
    package enum Problem: String, Sendable, Equatable {
        case empty = "is empty"
        case tooLong = "is longer than 128 characters or 512 bytes"
        case character = "may hold only letters, digits, emoji and - _ . ~ @"
        case outerDot = "must not start or end with a dot, nor may a segment"
        case reserved = "is reserved, or its first segment is"
        case emptySegment = "must not start or end with a slash, nor hold two in a row"
        case tooManySegments = "has more than four segments"
        case pictureName = "must not end in /qr.png or /qr.svg"
    }

    /// Nil for a valid slug.
    package static func problem(of text: String) -> Problem? {
        guard let composed = composed(text) else { return .tooLong }
        return problem(ofComposed: composed)
    }

    /// Nil if the text is too long in any form, without the work of composing it: composing shortens a text to a quarter
    /// at most.
    private static func composed(_ text: String) -> String? {
        text.utf8.count <= 4 * maximumBytes ? UnicodeText.composed(text) : nil
    }

    private static func problem(ofComposed text: String) -> Problem? {
        let bytes = text.utf8
        guard let first = bytes.first, let last = bytes.last else { return .empty }
        guard
            bytes.count <= maximumLength || (bytes.count <= maximumBytes && text.unicodeScalars.count <= maximumLength)
        else { return .tooLong }
        // Checked before the characters: for `.well-known`, "reserved" is the better message.
        if reserved.contains(text) { return .reserved }
        guard bytes.allSatisfy(isAllowed) else { return problem(ofSegments: text) }
        guard first != UInt8(ascii: "."), last != UInt8(ascii: ".") else { return .outerDot }
        return nil
    }

    private static func problem(ofSegments text: String) -> Problem? {
        let segments = text.unicodeScalars.split(separator: "/", omittingEmptySubsequences: false)
        if let first = segments.first, reserved.contains(String(first)) { return .reserved }
        for segment in segments {
            guard let first = segment.first, let last = segment.last else { return .emptySegment }
            guard holdsOnlyAllowed(segment) else { return .character }
            guard first != ".", last != "." else { return .outerDot }
        }
        guard segments.count <= maximumSegments else { return .tooManySegments }
        if segments.count > 1, let last = segments.last, pictureNames.contains(String(last)) { return .pictureName }
        return nil
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        byte.isUnreserved || byte == UInt8(ascii: "@")
    }

    /// Invisible scalars are only allowed where they join visible ones, so that no two slugs look the same.
    private static func holdsOnlyAllowed(_ segment: Substring.UnicodeScalarView) -> Bool {
        var before: Unicode.Scalar?
        for scalar in segment {
            guard scalar.isASCII ? isAllowed(UInt8(ascii: scalar)) : isAllowed(scalar, behind: before) else {
                return false
            }
            before = scalar
        }
        return before.map { !UnicodeText.joiners.contains($0) } ?? false
    }

    private static func isAllowed(_ scalar: Unicode.Scalar, behind before: Unicode.Scalar?) -> Bool {
        if UnicodeText.joiners.contains(scalar) { return before.map { !UnicodeText.joiners.contains($0) } ?? false }
        // The letters of a flag's region follow a black flag.
        if (0xE0020...0xE007F).contains(scalar.value) {
            return before.map { $0.value == 0x1F3F4 || (0xE0020...0xE007E).contains($0.value) } ?? false
        }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber,
            .letterNumber, .otherNumber:
            return !properties.isDefaultIgnorableCodePoint
        case .nonspacingMark, .spacingMark, .enclosingMark:
            let selectsEmoji = scalar == "\u{FE0F}" || scalar == "\u{FE0E}"
            return before != nil && (selectsEmoji || !properties.isDefaultIgnorableCodePoint)
        default:
            return properties.isEmoji || properties.isEmojiModifier
        }
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
