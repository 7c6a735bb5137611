import Foundation
import Testing
import WaymarkJSON

/// Applications and webhooks have owners as links have.
extension EndToEnd.ApplyCommandTests {
    private static let news = Shop.application().replacing("\"shop\", \"name\"", with: "\"news\", \"name\"")
        .replacing("go.example.com", with: "news.example.com").replacing("ABCDE12345", with: "ABCDE12346")
    private static let newsLink = plain.replacing("\"shop\"", with: "\"news\"")

    private static func hook(_ path: String, app: String? = nil, events: String = "link.*") -> String {
        let app = app.map { ", \"app\": \"\($0)\"" } ?? ""
        return #"{"url": "http://127.0.0.1:9/\#(path)", "events": ["\#(events)"]\#(app)}"#
    }

    private func webhooks() throws -> [String: JSONValue] {
        let all = try server.exchange(.api("GET", "/webhooks")).json["webhooks"]?.array ?? []
        return Dictionary(uniqueKeysWithValues: all.map { ($0["url"]?.string ?? "", $0["managedBy"] ?? .null) })
    }

    @Test func `webhooks of the owner are pruned, and no others`() throws {
        #expect(try server.exchange(.api("POST", "/webhooks", Self.hook("free"))).status == 201)
        let other = Self.hook("other").replacing("{", with: #"{"managedBy": "others", "#)
        #expect(try server.exchange(.api("POST", "/webhooks", other)).status == 201)
        try write(#"{"webhooks": [\#(Self.hook("a")), \#(Self.hook("b"))]}"#)
        #expect(try run("apply", "--secrets", "secrets.json").end == .exit(0))
        let base = "http://127.0.0.1:9/"
        #expect(try webhooks()[base + "a"] == "code" && webhooks().count == 4)
        try write(#"{"webhooks": [\#(Self.hook("b"))]}"#)
        #expect(try plan() == Self.nothing)
        #expect(try run("plan").output.contains("1 webhook of the owner not in the files"))
        #expect(try plan("--prune")["delete"] == [base + "a"])
        #expect(try run("apply", "--prune").end == .exit(0))
        #expect(try webhooks() == [base + "b": "code", base + "free": .null, base + "other": "others"])
        #expect(try plan("--prune") == Self.nothing)
    }

    @Test func `a webhook that nobody manages needs --adopt`() throws {
        #expect(try server.exchange(.api("POST", "/webhooks", Self.hook("a"))).status == 201)
        try write(#"{"webhooks": [\#(Self.hook("a"))]}"#)
        let same = try run("plan")
        #expect(same.end == .exit(0) && same.output == "nothing to do\n", "\(same)")
        #expect(same.errors.contains("nobody manages it; --adopt takes it over"))
        try write(#"{"webhooks": [\#(Self.hook("a", events: "key.*"))]}"#)
        for command in ["plan", "apply"] {
            let refused = try run(command)
            #expect(refused.end == .exit(1), "\(refused)")
            #expect(refused.errors.contains("links.json:1: webhook http://127.0.0.1:9/a exists and nobody manages it"))
        }
        #expect(try run("apply", "--adopt").end == .exit(0))
        #expect(try webhooks() == ["http://127.0.0.1:9/a": "code"])
        #expect(try plan() == Self.nothing)
        let other = try run("plan", "--owner", "others", "--adopt")
        #expect(other.end == .exit(1) && other.errors.contains("is managed by code"), "\(other)")
    }

    @Test func `an application that nobody manages needs --adopt`() throws {
        #expect(try server.exchange(.api("PUT", "/apps/news", Self.news)).status == 201)
        try write(#"{"applications": [\#(Self.news)], "links": [\#(Self.newsLink)]}"#)
        let same = try run("plan", "--json")
        #expect(same.end == .exit(0) && same.json["change"] == [], "\(same)")
        #expect(same.errors.contains("application news is as in the files, but nobody manages it"))
        try write(#"{"applications": [\#(Self.news.replacing("\"Shop\"", with: "\"News\""))]}"#)
        let refused = try run("apply")
        #expect(refused.end == .exit(1), "\(refused)")
        #expect(refused.errors.contains("application news exists and nobody manages it; --adopt takes it over"))
        #expect(try run("apply", "--adopt").end == .exit(0))
        let app = try server.exchange(.api("GET", "/apps/news")).json
        #expect(app["managedBy"] == "code" && app["name"] == "News")
        #expect(try plan() == Self.nothing)
        let other = try run("plan", "--owner", "others", "--adopt")
        #expect(other.end == .exit(0) && other.errors.contains("news is as in the files, and managed by code"))
        try write(#"{"applications": [\#(Self.news)]}"#)
        let edited = try run("plan", "--owner", "others", "--adopt")
        #expect(edited.end == .exit(1) && edited.errors.contains("news is managed by code"), "\(edited)")
    }

    @Test func `an application of the configuration stays as it is`() throws {
        try write("{\"applications\": [\(Shop.application())], \"links\": [\(Self.plain)]}")
        let applied = try run("apply", "--adopt")
        #expect(applied.end == .exit(0) && applied.output.contains("1 created, 0 changed"), "\(applied)")
        #expect(try server.exchange(.api("GET", "/links/go.example.com/x")).status == 200)
        #expect(try plan("--adopt") == Self.nothing)
        try write(#"{"applications": [\#(Shop.application().replacing("\"Shop\"", with: "\"Other\""))]}"#)
        let refused = try run("plan", "--adopt")
        #expect(refused.end == .exit(1) && refused.errors.contains("is from the server's configuration"), "\(refused)")
    }

    @Test func `an application that was edited elsewhere is drift`() throws {
        try write(#"{"applications": [\#(Self.news)]}"#)
        #expect(try run("apply").end == .exit(0))
        var edited = try #require(try server.exchange(.api("GET", "/apps/news")).json.object)
        #expect(edited["managedBy"] == "code")
        edited["name"] = "Old"
        #expect(try server.exchange(.api("PUT", "/apps/news", JSONValue(edited).text())).status == 200)
        let text = try run("plan")
        #expect(text.output.contains("~ application news: name (drift"), "\(text)")
        #expect(try run("apply").end == .exit(0))
        #expect(try plan() == Self.nothing)
        try write(#"{"applications": [\#(Self.news.replacing("\"Shop\"", with: "\"News\""))]}"#)
        let change = try run("plan", "--json")
        #expect(change.json["change"]?.array?.first?["drift"] == false, "\(change)")
    }

    @Test func `an application is deleted with its links and webhooks`() throws {
        try write(
            #"{"applications": [\#(Self.news)], "links": [\#(Self.newsLink)], "webhooks": [\#(Self.hook("a", app: "news"))]}"#
        )
        #expect(try run("apply", "--secrets", "secrets.json").end == .exit(0))
        try write("{}")
        #expect(try plan() == Self.nothing)
        let unlisted = try run("plan").output
        #expect(unlisted.contains("1 link, 1 webhook, 1 application of the owner not in the files"), "\(unlisted)")
        #expect(try plan("--prune")["delete"] == ["news.example.com/x", "http://127.0.0.1:9/a", "news"])
        let pruned = try run("apply", "--prune")
        #expect(pruned.end == .exit(0) && pruned.output.hasSuffix("3 deleted\n"), "\(pruned)")
        #expect(try server.exchange(.api("GET", "/apps/news")).status == 404)
        #expect(try webhooks().isEmpty)
        #expect(try server.exchange(.api("GET", "/apps/shop")).status == 200)
        #expect(try plan("--prune") == Self.nothing)
        // A new one begins without the versions of the old one.
        try write(#"{"applications": [\#(Self.news)], "links": [\#(Self.newsLink)]}"#)
        #expect(try run("apply").end == .exit(0))
        #expect(try plan() == Self.nothing)
    }

    @Test(arguments: [true, false])
    func `an application with other links is not deleted`(isOfFiles: Bool) throws {
        try write(#"{"applications": [\#(Self.news)], "links": [\#(Self.newsLink)]}"#)
        #expect(try run("apply").end == .exit(0))
        let others = ["y", "z"].map { Self.newsLink.replacing("\"x\"", with: "\"\($0)\"") }
        if isOfFiles {
            try write(#"{"links": [\#(others.joined(separator: ", "))]}"#)
        } else {
            for link in others { #expect(try server.exchange(.create(link)).status == 201) }
            try write("{}")
        }
        for command in ["plan", "apply"] {
            let refused = try run(command, "--prune")
            #expect(refused.end == .exit(1), "\(refused)")
            #expect(refused.errors.contains("application news: is not in the files, but 2 links would be left in it"))
        }
        #expect(try server.exchange(.api("GET", "/apps/news")).status == 200)
        #expect(try server.exchange(.api("GET", "/links/news.example.com/x")).status == 200)
    }

    @Test func `an application of another owner is not deleted`() throws {
        let managed = Self.news.replacing("{\"id\"", with: "{\"managedBy\": \"others\", \"id\"")
        #expect(try server.exchange(.api("PUT", "/apps/news", managed)).status == 201)
        try write("{}")
        #expect(try plan("--prune") == Self.nothing)
        #expect(try plan("--prune", "--owner", "others")["delete"] == ["news"])
        #expect(try run("apply", "--prune").end == .exit(0))
        #expect(try server.exchange(.api("GET", "/apps/news")).status == 200)
    }

    @Test func `an application with webhooks of others is not deleted`() throws {
        try write(#"{"applications": [\#(Self.news)]}"#)
        #expect(try run("apply").end == .exit(0))
        #expect(try server.exchange(.api("POST", "/webhooks", Self.hook("a", app: "news"))).status == 201)
        try write("{}")
        let refused = try run("apply", "--prune")
        #expect(refused.end == .exit(1), "\(refused)")
        #expect(refused.errors.contains("application news: is not in the files, but 1 webhook would be left in it"))
        #expect(try server.exchange(.api("GET", "/apps/news")).status == 200)
    }

    @Test func `webhooks of one URL are told apart by application`() throws {
        let both = "\(Self.hook("a")), \(Self.hook("a", app: "shop", events: "app.*"))"
        try write(#"{"webhooks": [\#(both)]}"#)
        #expect(try run("apply", "--secrets", "secrets.json").end == .exit(0))
        #expect(try plan("--prune") == Self.nothing)
        // That of all applications is another one, for a key of all.
        let url = "http://127.0.0.1:9/a"
        try write(#"{"webhooks": [\#(Self.hook("a"))]}"#)
        #expect(try plan("--prune") == ["create": [], "change": [], "delete": [url]])
        try write(#"{"webhooks": [\#(Self.hook("a", app: "shop", events: "app.*"))]}"#)
        #expect(try plan("--prune") == ["create": [], "change": [], "delete": [url]])
    }

    @Test func `a key of one application finds its webhooks again`() throws {
        let made = try server.exchange(
            .api("POST", "/keys", #"{"name": "shop", "scopes": ["admin"], "app": "shop"}"#)
        ).json
        let key = try #require(made["key"]?.string)
        func run(_ arguments: String...) throws -> CommandRun {
            let remote = ["--url", "http://127.0.0.1:\(server.port)", "--key", key]
            return try installation.run([arguments[0], "code"] + arguments.dropFirst() + remote)
        }
        try write(#"{"webhooks": [\#(Self.hook("a")), \#(Self.hook("b"))]}"#)
        // As an apply of an earlier version made it.
        #expect(try server.exchange(.api("POST", "/webhooks", Self.hook("b", app: "shop"))).status == 201)
        let applied = try run("apply", "--secrets", "secrets.json")
        #expect(applied.end == .exit(0) && applied.output.contains("1 created"), "\(applied)")
        let again = try run("plan", "--prune")
        #expect(again.output == "nothing to do\n" && again.errors.contains("b is as in the files"), "\(again)")
        #expect(try webhooks().count == 2)
    }

    @Test func `a webhook of the files holds its application`() throws {
        try write(#"{"applications": [\#(Self.news)], "webhooks": [\#(Self.hook("a", app: "news"))]}"#)
        #expect(try run("apply", "--secrets", "secrets.json").end == .exit(0))
        try write(#"{"webhooks": [\#(Self.hook("a", app: "news"))]}"#)
        let refused = try run("plan", "--prune")
        #expect(refused.end == .exit(1) && refused.errors.contains("its application news is not in the files"))
    }
}
