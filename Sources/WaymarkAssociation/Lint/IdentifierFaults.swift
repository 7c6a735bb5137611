import WaymarkBytes

/// What is wrong with the text of a certificate's fingerprint.
struct FingerprintFault: Hashable {
    let rule: LintRule
    let problem: String
    let mend: String

    /// Nil if the text is valid: 32 pairs of digits and capitals, separated by colons.
    init?(_ text: String) {
        if let fingerprint = CertificateFingerprint(text) {
            guard !fingerprint.text.isSameText(as: text) else { return nil }
            (rule, problem, mend) = (.fingerprintCase, "holds small letters", "Write \(fingerprint.text).")
            return
        }
        guard text.utf8.count <= Self.lengthLimit else {
            (rule, problem) = (.fingerprintShape, "is not 32 pairs of hexadecimal digits")
            mend = Self.shapeMend
            return
        }
        let hexadecimal = text.utf8.filter { $0.hexadecimalValue != nil }
        let others = text.utf8.filter { $0.hexadecimalValue == nil }
        let onlySeparators = others.allSatisfy { ": -.".utf8.contains($0) }
        switch (hexadecimal.count, onlySeparators) {
        case (64, true):
            let pairs = stride(from: 0, to: 64, by: 2).map {
                String(decoding: hexadecimal[$0..<$0 + 2], as: UTF8.self).uppercased()
            }
            (rule, problem) = (.fingerprintCase, "is not written as pairs with colons between them")
            mend = "Write \(pairs.joined(separator: ":"))."
        case (40, true):
            (rule, problem) = (.fingerprintSHA1, "is of 20 bytes: a SHA-1")
            mend = rule.usualMend
        case (32, true):
            (rule, problem) = (.fingerprintSHA1, "is of 16 bytes: an MD5")
            mend = rule.usualMend
        default:
            if let bytes = Base64.bytes(lenient: text), bytes.count == 32 {
                (rule, problem) = (.fingerprintBase64, "is written in Base64")
                let pairs = bytes.map { Hexadecimal.text([$0]).uppercased() }
                mend = "Write \(pairs.joined(separator: ":"))."
            } else {
                (rule, problem) = (.fingerprintShape, "is not 32 pairs of hexadecimal digits")
                mend = Self.shapeMend
            }
        }
    }

    private static let shapeMend =
        "Take the line SHA256 of keytool -list -v, or of the Play Console under app signing."
    /// Maximum length of a text that is analysed, in bytes.
    private static let lengthLimit = 255
}

/// A problem in an app identifier.
struct AppIDFault: Hashable {
    let rule: LintRule
    let problem: String
    var mend = ""

    /// Nil if the text is valid.
    init?(_ text: String) {
        guard text.utf8.count <= AppID.lengthLimit else {
            (rule, problem) = (.appIDShape, "it is longer than \(AppID.lengthLimit) bytes")
            return
        }
        let dot = text.utf8.firstIndex(of: UInt8(ascii: "."))
        let prefix = text[..<(dot ?? text.endIndex)]
        guard dot != nil else {
            (rule, problem) = (.appIDShape, text.isEmpty ? "it is empty" : "there is no dot in it")
            return
        }
        if text.utf8.contains(where: { "*?".utf8.contains($0) }) {
            (rule, problem) = (.appIDWildcard, "an app identifier holds no wildcard")
        } else if prefix.utf8.contains(where: { "<>{}[]_$%".utf8.contains($0) }) {
            (rule, problem) = (.appIDPlaceholder, "\(quoted(prefix)) is a placeholder")
        } else if !prefix.isEmpty, prefix.utf8.allSatisfy(\.isDigit) {
            (rule, problem) = (.appIDStoreNumber, "\(quoted(prefix)) is a number, as the App Store gives to apps")
        } else if !prefix.isEmpty, prefix.utf8.allSatisfy({ $0.isLetter && !$0.isCapital }), prefix.utf8.count < 8 {
            (rule, problem) = (
                .appIDWithoutPrefix, "it begins with the bundle identifier; the team's prefix is missing"
            )
        } else if !prefix.isEmpty, prefix.utf8.allSatisfy({ $0.isLetter || $0.isDigit }),
            prefix.utf8.contains(where: { $0.isLetter && !$0.isCapital })
        {
            (rule, problem) = (.appIDShape, "\(quoted(prefix)) holds small letters, and prefixes have none")
            mend = "Write \(prefix.uppercased()) if that is your team's identifier."
        } else if AppID(text) == nil {
            (rule, problem) = (.appIDShape, "it is not a prefix, a dot and a bundle identifier")
        } else if prefix.utf8.count != 10 {
            (rule, problem) = (.appIDPrefixLength, "the prefix has \(prefix.utf8.count) characters, not ten")
        } else {
            return nil
        }
    }
}
