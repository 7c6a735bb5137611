/// What is wrong with the text of an app identifier.
struct AppIDFault: Hashable {
    let rule: LintRule
    let problem: String
    var mend = ""

    /// Nil where nothing is.
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
