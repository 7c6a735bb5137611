import Testing
import WaymarkLinks

@Suite struct SearchWordsTests {
    @Test(arguments: [
        ("", []), ("...", []), ("a", ["a"]), ("Spring Sale", ["spring", "sale"]), ("a-b_c/d", ["a", "b", "c", "d"]),
        ("https://Go.example.com/x?y=2", ["https", "go", "example", "com", "x", "y", "2"]),
        ("ÄÖÜ ß", ["äöü", "ß"]), ("ΟΔΟΣ οδος", ["οδοσ", "οδοσ"]), ("日本 語", ["日本", "語"]), ("हिन्दी", ["हिन्दी"]),
        ("№7", ["7"]), ("a\u{301}b", ["a\u{301}b"]), ("x\u{0}y", ["x", "y"]), ("1½ ٣", ["1½", "٣"]),
        ("\u{1F600}smile\u{1F600}", ["smile"]),
    ])
    func separatesWords(text: String, expected: [String]) {
        let list = WordList(text)
        #expect((0..<list.count).map { String(decoding: list[$0], as: UTF8.self) } == expected)
    }

    @Test(arguments: [
        ("sale", "Spring SALE", true), ("sal", "spring-sale", true), ("ale", "spring sale", false),
        ("spring sal", "sale of spring", true), ("spring autumn", "spring", false), ("sales", "sale", false),
        ("a a", "a", true), ("GRÖ", "größe", true),
    ])
    func findsBeginnings(search: String, text: String, isFound: Bool) throws {
        #expect(try #require(SearchWords(search)).areFound(in: WordList(text)) == isFound)
    }

    @Test(arguments: [(0, false), (1, true), (16, true), (17, false)])
    func takesOneToSixteenWords(count: Int, isTaken: Bool) {
        let text = (0..<count).map { "w\($0)" }.joined(separator: " ")
        #expect((SearchWords(text) != nil) == isTaken)
    }
}
