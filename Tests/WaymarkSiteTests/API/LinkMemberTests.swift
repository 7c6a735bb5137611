import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkTestSupport

/// Each row of the table of a link's members, in each place of the interface. A new label needs nothing here, another new
/// member a sample.
@Suite struct LinkMemberTests {
    private static let path = "/api/v1/links/go.example.com/x"

    private static let changing = LinkRequest.members.members.filter { !$0.traits.contains(.isFixed) }.map(\.name)

    private static func samples(_ name: String) throws -> (first: JSONValue, second: JSONValue) {
        if LinkLabel.all.contains(where: { $0.text == name }) {
            return (JSONValue("First \(name)"), JSONValue("Second \(name)"))
        }
        let sample = try #require(linkMemberSamples[name], "linkMemberSamples has no \(name)")
        return (try JSONValue(parsing: sample.first), try JSONValue(parsing: sample.second))
    }

    private static func whole() throws -> JSONObject {
        var body = JSONObject()
        body["slug"] = JSONValue("x")
        for name in changing { body[name] = try samples(name).first }
        return body
    }

    @Test(arguments: TransportKind.allCases)
    func membersAreCreatedReadAndPatched(transportKind: TransportKind) async throws {
        try await SiteFixture.run(transportKind) { fixture in
            let created = try await fixture.create(JSONValue(Self.whole()).text())
            for name in Self.changing where name != "metadata" && name != "password" {
                #expect(created[name]?.canonicalBytes == (try Self.samples(name).first.canonicalBytes), "\(name)")
            }
            for name in Self.changing {
                var patch = JSONObject()
                patch[name] = try Self.samples(name).second
                let patched = try await fixture.call("PATCH", Self.path, JSONValue(patch).text())
                #expect(patched.status == 200, "\(name): \(patched.text)")
                let read = try await fixture.call("GET", name == "metadata" ? "\(Self.path)/metadata" : Self.path)
                if name == "password" {
                    #expect(read.json["hasPassword"]?.bool == true && !read.text.contains("second"), "\(read.text)")
                    patch["password"] = nil
                    patch["hasPassword"] = true
                }
                let value =
                    name == "metadata"
                    ? read.json["metadata"] ?? read.json
                    : read.json[name == "password" ? "hasPassword" : name] ?? false
                var expected = patch[name == "password" ? "hasPassword" : name] ?? .null
                // A patch merges objects, and a false setting is left out.
                if let object = expected.object {
                    expected = JSONMergePatch.apply(JSONValue(object), to: try Self.samples(name).first)
                }
                #expect(
                    Self.withoutNull(value).canonicalBytes == Self.withoutNull(expected).canonicalBytes,
                    "\(name): \(read.text)")
                let history = try await fixture.call("GET", "\(Self.path)/history")
                #expect(
                    history.json["changes"]?.array?.first?["fields"]?.array?.compactMap(\.string) == [name],
                    "\(history.text)")
            }
        }
    }

    /// Members that are null are those of which nothing is given.
    private static func withoutNull(_ value: JSONValue) -> JSONValue {
        guard let object = value.object else { return value }
        var rest = JSONObject()
        for member in object.members where !member.value.isNull { rest[member.name] = withoutNull(member.value) }
        return JSONValue(rest)
    }

    @Test func labelsAreRemovedByNull() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(JSONValue(Self.whole()).text())
            for label in LinkLabel.all {
                let patched = try await fixture.call("PATCH", Self.path, #"{"\#(label.text)": null}"#)
                #expect(patched.json[label.text]?.isNull == true, "\(patched.text)")
                #expect(try await fixture.call("GET", Self.path).json == patched.json)
            }
        }
    }

    @Test func labelsAreFound() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(JSONValue(Self.whole()).text())
            _ = try await fixture.create(SiteFixture.plain)
            for label in LinkLabel.all {
                for query in ["search=first+\(label.text)", "query=First%20\(label.text)"] {
                    #expect(try await fixture.slugs(query) == ["x"], "\(query)")
                }
            }
        }
    }

    @Test(arguments: LinkLabel.all)
    func labelsAreBounded(label: LinkLabel) async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let long = String(repeating: "é", count: label.limit + 1)
            for value in [JSONValue(long), JSONValue("a\u{1B}"), JSONValue(5), JSONValue([])] {
                var body = JSONObject()
                body[label.text] = value
                #expect(try await fixture.call("PATCH", Self.path, JSONValue(body).text()).fields == [label.text])
                body["urls"] = try JSONValue(parsing: #"{"web": "https://a.example/"}"#)
                #expect(try await fixture.call("POST", "/api/v1/links", JSONValue(body).text()).fields == [label.text])
            }
        }
    }

    @Test func fixedMembersCannotBePatched() async throws {
        try await SiteFixture.run(.inProcess) { fixture in
            _ = try await fixture.create(#"{"slug": "x", "urls": {"web": "https://a.example/"}}"#)
            let fixed = Set(LinkResponse.members.names + LinkRequest.members.names).subtracting(Self.changing)
            for name in fixed.sorted() {
                let refused = try await fixture.call("PATCH", Self.path, #"{"\#(name)": null}"#)
                #expect(refused.fields == [name] && refused.text.contains("can't be changed"), "\(refused.text)")
            }
        }
    }
}
