import WaymarkJSON

/// What the search of the documentation reads: each section with its words, as JSON.
enum DocumentIndex {
    /// Of a section; the table of settings has more, and its words are in the pages that it leads to.
    private static let mostWords = 400
    private static let startCount = 120

    static func json(_ pages: [(name: String, page: MarkdownPage)]) -> [UInt8] {
        let entries = pages.flatMap { name, page in
            page.sections.enumerated().map { index, section -> JSONValue in
                [
                    "page": JSONValue(name), "title": JSONValue(page.title), "heading": JSONValue(section.title),
                    // The page's own heading leads to its top.
                    "anchor": JSONValue(index == 0 ? "" : section.anchor), "words": JSONValue(words(of: section.text)),
                    "start": JSONValue(String(section.text.prefix(startCount))),
                ]
            }
        }
        return JSONValue(entries).bytes()
    }

    /// Each once, in the order of the text.
    private static func words(of text: String) -> String {
        var known: Set<Substring> = []
        var words: [Substring] = []
        for word in text.lowercased().split(whereSeparator: { !$0.isLetter && !$0.isNumber && $0 != "_" })
        where word.count > 1 && words.count < mostWords && known.insert(word).inserted {
            words.append(word)
        }
        return words.joined(separator: " ")
    }
}
