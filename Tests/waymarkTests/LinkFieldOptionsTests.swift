import ArgumentParser
import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkTestSupport

@testable import waymark

/// Flags of `links create` and `update`, and `--clear`.
@Suite struct LinkFieldOptionsTests {
    /// For each member of a link that can be changed: flags, and the value they give.
    private static let flags: [String: ([String], JSONValue)] = [
        "route": (["--route", "products/:id"], "products/:id"),
        "routeParameters": (["--parameter", "id=42"], ["id": "42"]),
        "queryParameters": (["--query", "a=b=c"], ["a": "b=c"]),
        "urls": (["--link", "ios=a://b?c=d"], ["ios": "a://b?c=d"]),
        "metadata": (["--metadata", #"{"a": 1}"#], ["a": 1]), "redeemLimit": (["--redeem-limit", "2"], 2),
        "validFrom": (["--valid-from", "2027-01-01T00:00:00Z"], "2027-01-01T00:00:00Z"),
        "expiresAt": (["--expires-at", "2027-02-01T00:00:00Z"], "2027-02-01T00:00:00Z"),
        "maxClicks": (["--max-clicks", "3"], 3), "managedBy": (["--managed-by", "links"], "links"),
        "social": (
            ["--social", "title=A", "--social", "imageURL=https://a.example/"],
            [
                "title": "A", "imageURL": "https://a.example/",
            ]
        ),
        "campaign": (["--campaign", "name=Spring"], ["name": "Spring"]),
        "tags": (["--tag", "a", "--tag", "b"], ["a", "b"]),
        "title": (["--title", "A"], "A"), "note": (["--note", "A"], "A"), "folder": (["--folder", "a/b"], "a/b"),
        "forwardQuery": (["--forward-query", "true"], true), "queryOverride": (["--query-override", "false"], false),
        "redirectStatus": (["--redirect-status", "308"], 308),
        "clickDetail": (["--click-detail", "countOnly"], "countOnly"),
        "onExpired": (["--on-expired", "https://a.example/"], "https://a.example/"),
        "rules": (["--rules", "[]"], []), "minimumVersion": (["--minimum-version", "ios=3.2"], ["ios": "3.2"]),
    ]

    @Test func aPasswordIsReadFromAFile() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("password").path
        try Data("open sesame\nmore".utf8).write(to: URL(fileURLWithPath: file))
        let members = try LinkFieldOptions.parse(["--password-file", file]).members(nil, isPatch: true)
        #expect(JSONValue(members) == ["password": "open sesame"])
        let failure = try #require(throws: CommandFailure.self) {
            try LinkFieldOptions.parse(["--password-file", file + "s"]).members(nil, isPatch: true)
        }
        #expect(failure.message.contains("can't be read"), "\(failure)")
    }

    // Arguments would show a password, so it has a test of its own.
    @Test(arguments: ClearedFields.names.filter { $0 != "password" })
    func eachFieldHasAFlag(name: String) throws {
        let (flags, value) = try #require(Self.flags[name], "\(name) has no flag; add one to LinkFieldOptions")
        for isPatch in [false, true] {
            let members = try LinkFieldOptions.parse(flags).members(nil, isPatch: isPatch)
            #expect(members.members.map(\.name) == [name])
            #expect(members[name] == value)
        }
    }

    @Test(arguments: [
        ["--title", ""], ["--expires-at", ""], ["--max-clicks", "0"], ["--on-expired", ""], ["--tag", ""],
    ])
    func anEmptyTextRemovesAFieldInAPatchOnly(flags: [String]) throws {
        let options = try LinkFieldOptions.parse(flags)
        let patch = try #require(try options.members(nil, isPatch: true).members.first)
        #expect(patch.value == .null || patch.value == [])
        let created = try #require(try options.members(nil, isPatch: false).members.first)
        #expect(created.value != .null && created.value != [])
    }

    @Test(arguments: [
        (["rules"], #"{"rules": null}"#), (["expires-at", "tag"], #"{"expiresAt": null, "tags": null}"#),
        (["urls.ios", "link.android"], #"{"urls": {"ios": null, "android": null}}"#),
        (["campaign.term"], #"{"campaign": {"term": null}}"#),
        (["query.a.b"], #"{"queryParameters": {"a.b": null}}"#), (["social"], #"{"social": null}"#),
        (["social.image-url"], #"{"social": {"imageURL": null}}"#),
    ])
    func aClearedFieldIsNull(fields: [String], patch: String) throws {
        var members = JSONObject()
        try ClearedFields.add(fields, to: &members)
        #expect(JSONValue(members) == (try JSONValue(parsing: patch)))
    }

    @Test func aPartIsClearedBesideOneThatIsSet() throws {
        var members = try LinkFieldOptions.parse(["--link", "web=https://a.example/"]).members(nil, isPatch: true)
        try ClearedFields.add(["urls.ios"], to: &members)
        #expect(JSONValue(members) == ["urls": ["web": "https://a.example/", "ios": .null]])
    }

    @Test(arguments: [
        (["titel"], "did you mean \"title\"?"), (["slug"], "give one of"), (["urls.webb"], "did you mean \"web\"?"),
        (["title.x"], "no parts"), (["title"], "set and cleared"), (["urls"], "set and cleared"),
        (["urls.web"], "set and cleared"), (["rules", "rules"], "set and cleared"), ([""], "give one of"),
    ])
    func whatCannotBeClearedIsNamed(fields: [String], text: String) throws {
        var members = try LinkFieldOptions.parse(["--title", "A"]).members("a.example", isPatch: true)
        let failure = try #require(throws: CommandFailure.self) { try ClearedFields.add(fields, to: &members) }
        #expect(failure.status == CommandFailure.usage && failure.message.contains(text), "\(failure)")
    }

    @Test(arguments: [
        (["--link", "webb=https://a.example/"], "did you mean \"web\"?"),
        (["--social", "titel=x"], "did you mean \"title\"?"), (["--campaign", "utm=x"], "give one of source, medium"),
        (["--minimum-version", "ios"], "PLATFORM=VERSION"), (["--rules", "["], "--rules"),
    ])
    func anUnknownNameInAFlagIsCorrected(flags: [String], text: String) throws {
        let options = try LinkFieldOptions.parse(flags)
        let failure = try #require(throws: CommandFailure.self) { try options.members(nil, isPatch: false) }
        #expect(failure.status == CommandFailure.usage && failure.message.contains(text), "\(failure)")
    }
}
