import Testing

@testable import WaymarkSite

/// The language of a page, and that no text of it is missing.
@Suite struct PageLanguageTests {
    @Test(arguments: [
        ("de", "de"), ("de-AT", "de"), ("DE-at", "de"), ("fr-CA, en", "fr"), ("es-419", "es"), ("it;q=0.1", "it"),
        ("pt-BR", "pt"), ("nl-BE", "nl"), ("pl", "pl"), ("tr", "tr"), ("ja-JP", "ja"), ("ko-KR", "ko"), ("ar-EG", "ar"),
        // Chinese is written in two ways, which script or region tell.
        ("zh", "zh-Hans"), ("zh-CN", "zh-Hans"), ("zh-SG", "zh-Hans"), ("zh-TW", "zh-Hant"), ("zh-HK", "zh-Hant"),
        ("zh-MO", "zh-Hant"), ("zh-Hant", "zh-Hant"), ("zh-Hans-HK", "zh-Hans"), ("zh-Hant-CN", "zh-Hant"),
        ("yue", "zh-Hant"), ("zh-yue-HK", "zh-Hant"), ("cmn-Hans", "zh-Hans"), ("zh-x-tw", "zh-Hans"),
        // The best by quality, of equal ones the first, and those that are not here passed over.
        ("en;q=0.5, de;q=0.8", "de"), ("de, fr", "de"), ("da, nb;q=0.9, fr;q=0.3", "fr"), ("fr;q=0, de;q=0.2", "de"),
        ("de;q=0", "en"), ("*, de;q=0.1", "de"), ("da", "en"), ("", "en"), ("*", "en"), (",;q=1,--,", "en"),
        ("deu", "en"), ("d", "en"), ("zh-", "zh-Hans"), ("de;q=2, fr;q=0.1", "fr"),
    ])
    func `a page has the language that the visitor prefers`(accepted: String, tag: String) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let page = try await fixture.visit("/nothing", headers: [("Accept-Language", accepted)])
            #expect(page[header: "Content-Language"] == tag)
            #expect(page.text.contains("<html lang=\"\(tag)\" dir=\"\(tag == "ar" ? "rtl" : "ltr")\">"))
            #expect(page[header: "Vary"] == "Accept, Accept-Language")
        }
    }

    @Test func `the language is read from repeated fields too`() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let page = try await fixture.visit(
                "/nothing", headers: [("Accept-Language", "da, fr;q=0.5"), ("Accept-Language", "de;q=0.8")])
            #expect(page[header: "Content-Language"] == "de")
        }
    }

    @Test func programsGetProblemsWithoutALanguage() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            let answer = try await fixture.visit(
                "/nothing", headers: [("Accept", "application/json"), ("Accept-Language", "de")])
            #expect(answer.problem == "link-unknown")
            #expect(answer[header: "Content-Language"] == nil)
        }
    }

    @Test func `all languages are offered`() {
        let tags = PageLanguage.allCases.map(\.tag)
        #expect(
            Set(tags) == [
                "en", "de", "fr", "es", "it", "pt", "nl", "pl", "tr", "ja", "zh-Hans", "zh-Hant", "ko", "ar",
            ])
        #expect(Set(tags).count == tags.count)
    }

    /// The compiler sees to it that there is a text; this, that it is one.
    @Test(arguments: PageLanguage.allCases)
    func saysEverything(language: PageLanguage) throws {
        let texts = Self.strings(language.texts)
        let originals = Self.strings(PageTexts.english)
        #expect(texts.count == originals.count)
        // Words that many languages share.
        let shared: Set<String> = ["App", "Store", "Web", "Continue", "Password"]
        for (text, original) in zip(texts, originals) {
            #expect(!text.value.isEmpty && text.value.first != " " && text.value.last != " ", "\(text.name)")
            #expect(
                Self.placeholders(text.value) == Self.placeholders(original.value), "\(text.name): \(text.value)")
            if language != .english, !shared.contains(original.value) {
                #expect(text.value != original.value, "\(text.name) is not translated")
            }
            // No straight quotation marks or apostrophes, and no three dots, in what people read.
            #expect(!text.value.contains { "\"'".contains($0) } && !text.value.contains("..."), "\(text.value)")
            #expect(text.value.unicodeScalars.allSatisfy { $0.value >= 0x20 }, "\(text.name)")
        }
    }

    /// A space that doesn't break keeps a line from ending there, and a line of those breaks inside words. French alone
    /// has them: before `?`, `!`, `:`, `;`, and inside guillemets.
    @Test(arguments: PageLanguage.allCases)
    func breaksLinesBetweenWords(language: PageLanguage) throws {
        let joins: Set<Unicode.Scalar> = ["\u{A0}", "\u{202F}", "\u{2007}", "\u{2060}", "\u{FEFF}"]
        for (name, text) in Self.strings(language.texts) {
            let scalars = Array(text.unicodeScalars)
            for (index, scalar) in scalars.enumerated() where joins.contains(scalar) {
                let before = index > 0 ? scalars[index - 1] : " "
                let after = index + 1 < scalars.count ? scalars[index + 1] : " "
                #expect(
                    language == .french && (before == "«" || "?!:;»".unicodeScalars.contains(after)),
                    "\(name): \(text)")
            }
        }
    }

    private static func strings(_ value: Any, _ name: String = "") -> [(name: String, value: String)] {
        if let text = value as? String { return [(name, text)] }
        return Mirror(reflecting: value).children.flatMap { strings($0.value, "\(name).\($0.label ?? "")") }
    }

    private static func placeholders(_ text: String) -> [Substring] {
        text.split(separator: "{", omittingEmptySubsequences: false).dropFirst().map { $0.prefix { $0 != "}" } }
    }
}
