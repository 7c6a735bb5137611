import Testing
import WaymarkJSON

@testable import waymark

/// Arguments as people type them.
@Suite struct CommandTextTests {
    @Test(arguments: [
        ("127.0.0.1:9150", "http://127.0.0.1:9150"), ("localhost:8080/", "http://localhost:8080"),
        ("[::1]:8080", "http://[::1]:8080"), ("localhost", "http://localhost"),
        ("go.example.com", "https://go.example.com"), ("10.0.0.5:9180", "https://10.0.0.5:9180"),
        ("localhost.example.com", "https://localhost.example.com"),
        ("127.0.0.1.example.com", "https://127.0.0.1.example.com"), ("http://a.example//", "http://a.example"),
        ("gopher://a.example", "gopher://a.example"), ("", ""),
    ])
    func completesTheURLOfAServer(text: String, base: String) { #expect(ServerURL.base(text) == base) }

    @Test(arguments: [
        (["link"], "links"), (["links", "creat"], "links create"), (["links", "ls"], "links list"),
        (["keys", "remove"], "keys revoke"), (["app", "init"], "apps"), (["Links"], "links"),
        (["dashbord"], "dashboard"), (["shorten"], "links create"), (["create"], "links create"),
        (["ls"], "links list"),
        (["qr", "x"], "links qr"), (["signin"], "login"), (["links", "stats"], "links clicks"),
        (["stats"], "links clicks"), (["clicks", "go.example.com/x"], "links clicks"),
        (["clicks", "exprot"], "clicks export"),
        (["xyzzy"], nil), ([String(repeating: "a", count: 10_000)], nil),
    ])
    func namesTheNearestCommand(arguments: [String], nearest: String?) throws {
        let sentence = try #require(UnknownCommand.sentence(arguments))
        #expect(sentence.contains(nearest.map { "did you mean \"\($0)\"?" } ?? "give one of"), "\(sentence)")
        #expect(!sentence.contains("kutt-rows"))
    }

    @Test(arguments: [[], ["links", "list"], ["links", "create", "x"], ["--version"], ["links", "--help"], ["help"]])
    func leavesKnownCommandsAlone(arguments: [String]) { #expect(UnknownCommand.sentence(arguments) == nil) }

    @Test(arguments: [
        (#"{"urls": {"web": "https://a.example/", "ios": "a://b"}, "route": "x"}"#, "https://a.example/"),
        (#"{"urls": {"web": {"link": "https://a.example/", "fallback": "https://b.example/"}}}"#, "https://a.example/"),
        (#"{"urls": {}, "route": "products/:id/x", "routeParameters": {"id": "42"}}"#, "products/42/x"),
        (#"{"urls": {"ios": "a://b"}}"#, "a://b"), ("{}", "-"),
    ])
    func showsWhereALinkLeads(link: String, destination: String) throws {
        #expect(LinksList.destination(try JSONValue(parsing: link)) == destination)
    }

    @Test func listsImportedClicksApart() {
        #expect(LinksList.clicks(["clicks": 3]) == "3")
        #expect(LinksList.clicks(["clicks": 3, "importedClicks": 1432]) == "3 (+1432 imported)")
    }
}
