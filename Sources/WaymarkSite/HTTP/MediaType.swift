import WaymarkHTTP

/// What a request says that its body is, and what answer it would like.
enum MediaType {
    static let json = "application/json"
    static let mergePatch = "application/merge-patch+json"

    /// `application/json; charset=utf-8` is `application/json`: parameters are left out, case does not matter
    /// (RFC 9110 section 8.3.1).
    static func essence(_ value: String) -> String {
        let end = value.firstIndex(of: ";") ?? value.endIndex
        var essence = value[..<end]
        while let last = essence.last, last == " " || last == "\t" { essence.removeLast() }
        return essence.lowercased()
    }

    /// Whether the body may be read as JSON: the right type. A charset means nothing there (RFC 8259 section 11).
    static func isJSON(_ value: String?, allowingMergePatch: Bool) -> Bool {
        guard let value else { return false }
        if value == json { return true }
        let essence = essence(value)
        return essence == json || (allowingMergePatch && essence == mergePatch)
    }

    /// Whether an answer should be a table: only where one is asked for and JSON is not.
    static func prefersCSV(_ accept: String?) -> Bool {
        guard let accept else { return false }
        return holds("text/csv", accept) && !holds("json", accept)
    }

    /// Whether an error should be JSON rather than a page: only where that is asked for and a page is not.
    static func prefersJSON(_ accept: String?) -> Bool {
        guard let accept else { return false }
        return holds("json", accept) && !holds("text/html", accept)
    }

    /// Byte by byte, because every visit is asked this: Swift's own search of one text in another takes ten thousand
    /// instructions.
    ///
    /// - Parameter word: in lower case; ASCII letters count in either.
    private static func holds(_ word: String, _ text: String) -> Bool {
        let (wordBytes, textBytes) = (word.utf8, text.utf8)
        let (word, text) = (wordBytes.span, textBytes.span)
        var start = 0
        while start + word.count <= text.count {
            var length = 0
            while length < word.count, text[start + length].lowercasedASCII == word[length] { length += 1 }
            if length == word.count { return true }
            start += 1
        }
        return false
    }
}
