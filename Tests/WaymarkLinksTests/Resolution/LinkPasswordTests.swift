import Testing

@testable import WaymarkAPI
@testable import WaymarkLinks

@Suite struct LinkPasswordTests {
    struct Unexpected: Error { var resolution: Resolution }

    private static let password = LinkPassword(
        salt: Array(repeating: 1, count: LinkPassword.saltCount), key: Array(repeating: 2, count: LinkPassword.keyCount)
    )

    @Test func `a hash is read as it was written`() throws {
        let read = try #require(LinkPassword(Self.password.text))
        #expect(read == Self.password)
        #expect(read.parts?.parameters == .usual)
        #expect(read.isOf(Array(repeating: 2, count: LinkPassword.keyCount)))
        #expect(!read.isOf(Array(repeating: 3, count: LinkPassword.keyCount)))
        #expect(!read.isOf([2]))
    }

    @Test(arguments: [
        "", "secret", "scrypt:14:8:1:00", "scrypt:30:8:1:SALT:KEY", "scrypt:14:64:1:SALT:KEY", "scrypt:14:8:9:SALT:KEY",
        "scrypt:14:8:1:KEY:KEY", "scrypt:14:8:1:SALT:KEY:", "bcrypt:14:8:1:SALT:KEY", "scrypt:14:8:1:SALT:xx",
    ])
    func `what is no hash is none`(text: String) {
        let salt = String(repeating: "01", count: LinkPassword.saltCount)
        let key = String(repeating: "02", count: LinkPassword.keyCount)
        #expect(LinkPassword(text.replacing("SALT", with: salt).replacing("KEY", with: key)) == nil)
    }

    @Test func `a password has a length`() {
        for (password, isGood) in [
            ("", false), ("a", true), (String(repeating: "é", count: 128), true),
            (String(repeating: "a", count: 129), false),
        ] {
            var draft = Samples.draft(urls: ["web": URLEntryRequest("https://a.example/")])
            draft.password = password
            #expect(draft.validate(for: nil).fields == (isGood ? [] : ["password"]))
            draft.unique = true
            #expect(draft.validate(for: nil).fields == (isGood ? ["unique"] : ["password", "unique"]))
        }
    }

    @Test func `letters are the same composed or not`() {
        #expect(LinkPassword.bytes(of: "e\u{301}") == LinkPassword.bytes(of: "\u{E9}"))
    }

    @Test func `a link leads on once its password is known`() throws {
        let application = try Samples.application()
        var draft = Samples.draft(urls: ["web": URLEntryRequest("https://a.example/")])
        draft.social = SocialRequest(title: "Hello")
        var link = try Samples.link(draft, of: application)
        link.content.password = Self.password
        var visitor = Visitor(platform: .windows)
        func decision(_ visitor: Visitor) -> Resolution {
            link.resolve(application: application, visitor: visitor, now: Samples.now, clickID: nil)
        }
        #expect(decision(visitor) == .locked)
        #expect(link.targetsElsewhere(application: application, visitor: visitor, now: Samples.now).isEmpty)
        visitor.password = LinkPassword(
            salt: Array(repeating: 1, count: LinkPassword.saltCount),
            key: Array(repeating: 9, count: LinkPassword.keyCount))
        #expect(decision(visitor) == .locked)
        visitor.password = Self.password
        guard case .redirect(let destination) = decision(visitor) else { throw Unexpected(resolution: .locked) }
        #expect(destination.url == "https://a.example/")
        guard case .preview = decision(Visitor(platform: .web, bot: .preview)) else {
            throw Unexpected(resolution: .locked)
        }
        #expect(link.deepLink(application: application, platform: .web).url == "https://a.example/")
    }
}
