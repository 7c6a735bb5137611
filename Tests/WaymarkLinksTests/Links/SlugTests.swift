import Testing
import WaymarkBytes

@testable import WaymarkLinks

@Suite struct SlugTests {
    @Test(arguments: [
        "a", "Ab3dE9x", "summer-sale_2026", "a.b", "0", "API", "V1", String(repeating: "x", count: 128), "qr.png",
        "spring/sale", "a/b/c/d", "a/api", "a/qr.png/b",
        String(repeating: "x", count: 63) + "/" + String(repeating: "y", count: 64), "größe", "東京/桜", "распродажа",
        "العربية", "ไทย", "हिन्दी", "می\u{200C}خواهم", "😀", "👩\u{200D}👩\u{200D}👧", "❤\u{FE0F}sale", "🏳\u{FE0F}\u{200D}🌈",
        "🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F}", "👍🏽", "1\u{FE0F}\u{20E3}", "~ana", "@ana", "ana@shop",
        "٣",
        String(repeating: "東", count: 128), String(repeating: "😀", count: 128),
    ])
    func takesLettersDigitsEmojiAndSomeMarks(_ text: String) throws {
        #expect(try #require(Slug(text)).text == text)
    }

    @Test(arguments: [
        ("", Slug.Problem.empty), (String(repeating: "x", count: 129), .tooLong), ("a b", .character),
        ("/a", .emptySegment), ("a/", .emptySegment), ("a//b", .emptySegment), ("a/b/c/d/e", .tooManySegments),
        ("a/b+/c", .character), ("a/.b", .outerDot), ("a./b", .outerDot), ("a/../b", .outerDot),
        ("api/a", .reserved), (".well-known/a", .reserved), ("_/a", .reserved), ("a/qr.png", .pictureName),
        ("a/b/qr.svg", .pictureName), (String(repeating: "x/", count: 64) + "y", .tooLong),
        (String(repeating: "東", count: 129), .tooLong), (String(repeating: "x", count: 129) + "東", .tooLong),
        ("a\u{200B}b", .character), ("a\u{200D}", .character), ("\u{200D}a", .character),
        ("a\u{200C}\u{200D}b", .character),
        ("\u{FE0F}", .character), ("\u{301}a", .character), ("a\u{202E}b", .character), ("\u{3164}", .character),
        ("a\u{E0067}", .character), ("a\u{AD}b", .character), ("a\u{FEFF}b", .character), ("a b", .character),
        ("a/\u{3000}", .character), ("a,b", .character), ("a–b", .character), ("a\u{FFFD}", .character),
        ("a\u{E000}", .character), ("/東京", .emptySegment), ("東京.", .outerDot), ("東/京/東/京/東", .tooManySegments),
        ("a+", .character), ("a%41", .character), ("a\0", .character), ("a\r\n", .character),
        (".a", .outerDot), ("a.", .outerDot), (".", .outerDot), ("..", .outerDot), ("api", .reserved),
        (".well-known", .reserved), ("_", .reserved), ("healthz", .reserved), ("favicon.ico", .reserved),
        ("apple-app-site-association", .reserved),
    ])
    func saysWhyATextIsNoSlug(_ text: String, _ problem: Slug.Problem) {
        #expect(Slug.problem(of: text) == problem)
        #expect(Slug(text) == nil)
    }

    @Test(arguments: [
        ("sale", "sale"), ("SALE", "sale"), ("Spring/Sale-2", "spring/sale-2"), ("Größe", "grösse"),
        ("GRÖSSE", "grösse"),
        ("Straẞe", "strasse"), ("ÉTÉ", "été"), ("ΣΊΣΥΦΟΣ", "σίσυφοσ"), ("σίσυφος", "σίσυφοσ"),
        ("Распродажа", "распродажа"),
        ("ſale", "sale"), ("ﬁt", "fit"), ("İ", "i\u{307}"), ("ı", "ı"), ("ǅ", "ǆ"), ("東京", "東京"), ("😀", "😀"),
    ])
    func `a slug is folded as Unicode does`(text: String, folded: String) throws {
        let slug = try #require(Slug(text))
        #expect(Array(slug.caseFolded.utf8) == Array(folded.utf8))
        // Of what is folded, nothing changes.
        if let again = Slug(folded) { #expect(Array(again.caseFolded.utf8) == Array(folded.utf8)) }
    }

    @Test(arguments: [
        ("v1", true), ("v2", true), ("lazy", true), ("v1/x", true), ("lazy/x/y", true), ("v10", false), ("V1", false),
        ("v", false), ("a/v1", false), ("lazyness", false), ("sale", false),
    ])
    func `a slug is reserved only where the rules say so`(text: String, isReserved: Bool) throws {
        let slug = try #require(Slug(text))
        #expect(SlugRules.reserveCompatibility.permit(slug) == !isReserved)
        #expect(SlugRules.ignoreCase.permit(slug))
    }

    @Test func `a slug is composed`() throws {
        let decomposed = try #require(Slug("gro\u{308}ße"))
        #expect(Array(decomposed.text.utf8) == Array("größe".utf8))
        #expect(decomposed == Slug("größe"))
    }

    @Test(arguments: [
        ("sale", "sale"), ("spring/sale", "spring/sale"), ("~ana/@x", "~ana/@x"), ("東京/a", "%E6%9D%B1%E4%BA%AC/a"),
        ("é", "%C3%A9"),
    ])
    func `a slug is encoded in URLs`(_ slug: String, _ url: String) throws {
        #expect(try #require(Slug(slug)).encoded == url)
    }

    @Test func generatesSlugsOfTheAskedLengthThatDiffer() {
        var random = RepeatableRandom(state: 1)
        var seen: Set<Slug> = []
        for _ in 0..<2000 {
            let slug = Slug.generate(using: &random)
            #expect(slug.text.utf8.count == 7)
            #expect(slug.text.utf8.allSatisfy { $0.isAlphanumeric })
            seen.insert(slug)
        }
        #expect(seen.count == 2000)
        #expect(Slug.generate(length: 10, using: &random).text.utf8.count == 10)
        #expect(Slug.generate(length: 1, using: &random).text.utf8.count == 7)
    }

    @Test func drawsEveryCharacterAboutEquallyOften() {
        var random = RepeatableRandom(state: 2)
        var counts: [UInt8: Int] = [:]
        for _ in 0..<9000 {
            for byte in Slug.generate(using: &random).text.utf8 { counts[byte, default: 0] += 1 }
        }
        // 63,000 draws from 62 characters: a thousand each, give or take five standard deviations.
        #expect(counts.count == 62)
        #expect(counts.values.allSatisfy { (860...1180).contains($0) })
    }
}
