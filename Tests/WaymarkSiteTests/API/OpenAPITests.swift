import FoundationEssentials
import Testing
import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSite
@testable import waymark_openapi

/// The API document is what the tables say, and real bodies are what the document says.
@Suite struct OpenAPITests {
    private static let file: [UInt8] = {
        let path = (SiteFixture.options().publicFolder ?? "") + "/openapi.json"
        return FileManager.default.contents(atPath: path).map { Array($0) } ?? []
    }()

    private static let document = (try? JSONValue(parsing: file, depthLimit: 128)) ?? .null

    @Test func theFileIsWhatTheTablesSay() throws {
        let isCurrent = Self.file == Array(try APIDocument().text.utf8)
        #expect(isCurrent, "Public/openapi.json is not what the route table and the schemas say: run Scripts/openapi")
    }

    @Test func `the document has every route with its statuses`() {
        #expect(!Site.routes.isEmpty)
        for route in Site.routes {
            let operation = Self.document["paths"]?[route.path.text]?[route.method.name.lowercased()]
            let statuses = (operation?["responses"]?.object?.members ?? []).compactMap { Int($0.name) }
            #expect(Set(statuses) == route.statuses, "\(route.method.name) \(route.path.text)")
        }
    }

    @Test func describesEveryMemberOfALink() {
        let properties = Self.document["components"]?["schemas"]?["Link"]?["properties"]?.object?.members.map(\.name)
        #expect(Set(properties ?? []) == Set(LinkResponse.members.names))
    }

    /// Of bodies that a table reads: `{"ios": text, "android": text or number}`.
    @Test(
        arguments: [
            ([Field("ios")], "MinimumVersionRequest has the member android, which no field describes; add one."),
            (
                [Field("ios"), Field("android", .text), Field("web")],
                "MinimumVersionRequest has no member web; remove its field."
            ),
            (
                [Field("ios"), Field("android")],
                "The table of MinimumVersionRequest does not define the type of android; give its field a type."
            ),
            (
                [Field("ios", .integer), Field("android", .text)],
                "The type of ios differs from the table of MinimumVersionRequest; correct its field."
            ),
        ] as [([Field], String)])
    func saysHowFieldsDifferFromATable(fields: [Field], problem: String) {
        do {
            _ = try MinimumVersionRequest.members.members.joined(fields)
            Issue.record("No error was thrown.")
        } catch {
            #expect(error.description == problem)
        }
    }

    /// What a table lacks is named, with the table.
    @Test(
        arguments: [
            (
                "/api/v1/things", APIOperation("listThings", .links, "List things", [.json(200, "ThingList", "All.")]),
                "#/components/schemas/ThingList does not exist; is its name right?"
            ),
            (
                "/api/v1/things/{thing}", APIOperation("getThing", .links, "Read a thing", [.empty(204, "None.")]),
                "{thing} of /api/v1/things/{thing} is not described; add it to Parameter.swift."
            ),
            (
                "/api/v1/things",
                APIOperation("getThing", .links, "Read a thing", query: ["size"], [.empty(204, "None.")]),
                "The parameter size of getThing is not described; add it to Parameter+Query.swift."
            ),
            (
                "/api/v1/things", APIOperation("getThing", .links, "Read a thing", [418]),
                "GET /api/v1/things: there is no standard response for 418; describe it in the route table."
            ),
            (
                "/api/v1/things",
                APIOperation("getThing", .links, "Read a thing", body: "Link", [.empty(204, "None.")]),
                "GET /api/v1/things: the route and its operation differ in whether there is a body."
            ),
            (
                "/api/v1/things", APIOperation("getLink", .links, "Read a thing", [.empty(204, "None.")]),
                "There are two of the operation getLink; give one another name."
            ),
        ] as [(String, APIOperation, String)])
    func saysWhatATableLacks(path: String, operation: APIOperation, problem: String) {
        let route = DocumentedRoute(
            method: "GET", path: path, kind: .api(scopes: ["read"]), body: nil, takesIdempotencyKey: false,
            isCrossOrigin: false, query: operation.query, statuses: Set(operation.responses.map(\.status)),
            operation: operation)
        do {
            _ = try APIDocument(Site.documentedRoutes + [route])
            Issue.record("There is a document.")
        } catch {
            #expect(error.description == problem)
        }
    }

    @Test func requiresTheMembersThatAreAlwaysThere() async throws {
        func required(_ schema: String) -> Set<String> {
            Set((Self.document["components"]?["schemas"]?[schema]?["required"]?.array ?? []).compactMap(\.string))
        }
        func names(_ value: JSONValue) -> Set<String> { Set((value.object?.members ?? []).map(\.name)) }
        try await SiteFixture.run(.inProcess) { fixture in
            let link = try await fixture.create(SiteFixture.plain)
            #expect(names(link) == required("Link"))
            let smartlink = try #require(link["smartlink"]?.string)
            let resolved = try await fixture.call("POST", "/api/v1/resolve", #"{"smartlink": "\#(smartlink)"}"#)
            #expect(names(resolved.json) == required("ResolveAnswer"))
            _ = try await fixture.key(["links"])
            let keys = try await fixture.call("GET", "/api/v1/keys").json["keys"]?.array
            #expect(names(try #require(keys?.first)) == required("Key"))
        }
    }
}
