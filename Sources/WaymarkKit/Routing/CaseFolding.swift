/// Comparison without regard to case, letter by letter.
enum CaseFolding {
    /// Every scalar in upper and then in lower case, where that is one scalar (simple case mapping, Unicode, section 4.2):
    /// the rule of Java's `compareToIgnoreCase`. So `ß` is not `ss`, and a text keeps its length in scalars.
    static func folded(_ text: String) -> String {
        if text.utf8.allSatisfy({ $0 < 0x80 }) {
            return String(decoding: text.utf8.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }, as: UTF8.self)
        }
        var folded = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            let upper = single(scalar.properties.uppercaseMapping) ?? scalar
            folded.append(single(upper.properties.lowercaseMapping) ?? upper)
        }
        return String(folded)
    }

    private static func single(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}
