/// One reason why a text is not JSON, with a guess at what was meant.
struct JSONFault: Hashable {
    let rule: LintRule
    /// The byte where it stands.
    let offset: Int
    /// One sentence on one line, without its full stop.
    let sentence: String
    let mend: String

    init(_ rule: LintRule, at offset: Int, _ sentence: String, mend: String) {
        self.rule = rule
        self.offset = offset
        self.sentence = sentence
        self.mend = mend
    }

    /// For bytes that are something else altogether; nil where they may be JSON.
    static func ofOtherFormat(_ file: [UInt8]) -> JSONFault? {
        let visible = file.first { !$0.isJSONSpace }
        if visible == nil || (file.count == 3 && file == [0xEF, 0xBB, 0xBF]) {
            return JSONFault(.jsonEmpty, at: 0, "the file is empty", mend: "Write the file, or take it away.")
        }
        if file.starts(with: [0x1F, 0x8B]) {
            return JSONFault(
                .jsonCompressed, at: 0, "the file is compressed with gzip",
                mend: "Serve the plain text, or say Content-Encoding: gzip where you send it so.")
        }
        if file.first == 0x30, (file.dropFirst().first ?? 0) >= 0x80, isSignedData(file) {
            return JSONFault(
                .fileSigned, at: 0, "the file is signed (CMS), which only iOS 8 needed; what it holds is not looked at",
                mend: "Serve the plain JSON: iOS 9 and later need no signature.")
        }
        if file.starts(with: [0xFF, 0xFE]) || file.starts(with: [0xFE, 0xFF]) || file.prefix(4).contains(0) {
            return JSONFault(
                .jsonUTF16, at: 0, "the file is written in UTF-16 or UTF-32",
                mend: "Save it as UTF-8 without a byte order mark.")
        }
        if visible == UInt8(ascii: "<") {
            return JSONFault(
                .jsonHTML, at: file.firstIndex(of: UInt8(ascii: "<")) ?? 0,
                "this is a page of HTML or XML, not JSON: often the error page of a server, or a sign-in page",
                mend: "Make the server answer with the file itself, for everybody and without a redirect.")
        }
        return nil
    }

    /// Whether the object identifier of signed data (1.2.840.113549.1.7.2) stands near the beginning.
    private static func isSignedData(_ file: [UInt8]) -> Bool {
        let identifier: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
        let head = Array(file.prefix(32))
        guard head.count >= identifier.count else { return false }
        return (0...(head.count - identifier.count)).contains {
            head[$0..<($0 + identifier.count)].elementsEqual(identifier)
        }
    }
}
