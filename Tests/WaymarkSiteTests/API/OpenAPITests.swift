import FoundationEssentials
import Testing
import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkStores

@testable import WaymarkSite

/// The OpenAPI document and the route table say the same.
@Suite struct OpenAPITests {
    private static let document: JSONValue = {
        let path = SiteFixture.options().publicFolder + "/openapi.json"
        guard let data = FileManager.default.contents(atPath: path) else { return .null }
        return (try? JSONValue(parsing: Array(data))) ?? .null
    }()

    private static let methods = ["get", "put", "post", "patch", "delete"]

    /// `POST /api/v1/links` → the statuses that the document gives.
    private static let documented: [String: Set<Int>] = {
        var operations: [String: Set<Int>] = [:]
        for path in document["paths"]?.object?.members ?? [] {
            for method in methods {
                guard let responses = path.value[method]?["responses"]?.object else { continue }
                operations["\(method.uppercased()) \(path.name)"] = Set(responses.members.compactMap { Int($0.name) })
            }
        }
        return operations
    }()

    @Test func describesEveryRouteWithEveryStatus() {
        #expect(!Self.documented.isEmpty)
        for route in Site.routes {
            let name = "\(route.method.name) \(route.path.text)"
            #expect(Self.documented[name] == route.statuses, "\(name)")
        }
    }

    @Test func describesNoRouteThatIsNotThere() {
        let routes = Set(Site.routes.map { "\($0.method.name) \($0.path.text)" })
        for name in Self.documented.keys { #expect(routes.contains(name), "\(name)") }
    }

    @Test func asksForTheScopeThatTheRouteNeeds() {
        for route in Site.routes {
            let operation = Self.document["paths"]?[route.path.text]?[route.method.name.lowercased()]
            // Alternatives: OpenAPI requires all scopes of one element.
            let scopes = (operation?["security"]?.array ?? []).compactMap { $0["key"]?.array?.map(\.string) }
                .filter { !$0.isEmpty }
            if case .api(let needed, let body, _) = route.access {
                #expect(scopes == needed.map { [$0.rawValue] }, "\(route.path.text)")
                #expect((operation?["requestBody"] != nil) == (body != .none), "\(route.path.text)")
            } else {
                #expect(scopes.isEmpty)
            }
        }
    }

    @Test func describesEveryMemberOfALink() {
        func properties(_ schema: String) -> Set<String> {
            Set(Self.document["components"]?["schemas"]?[schema]?["properties"]?.object?.members.map(\.name) ?? [])
        }
        #expect(properties("LinkBody") == Set(LinkRequest.members.names))
        #expect(properties("Link") == Set(LinkResponse.members.names))
        #expect(
            properties("LinkPatch")
                == Set(LinkRequest.members.members.filter { !$0.traits.contains(.isFixed) }.map(\.name)))
    }

    @Test func namesTheQueryParametersThatAreTaken() {
        for route in Site.routes {
            guard case .api = route.access else { continue }
            let operation = Self.document["paths"]?[route.path.text]?[route.method.name.lowercased()]
            let parameters = (operation?["parameters"]?.array ?? []).filter { $0["in"] == "query" }
            #expect(
                parameters.compactMap { $0["name"]?.string } == route.query,
                "\(route.method.name) \(route.path.text)")
        }
    }

    @Test func offersTheIdempotencyKeyWhereItIsTaken() {
        for route in Site.routes {
            let operation = Self.document["paths"]?[route.path.text]?[route.method.name.lowercased()]
            let parameters = (operation?["parameters"]?.array ?? []).compactMap { $0["$ref"]?.string }
            #expect(
                parameters.contains("#/components/parameters/IdempotencyKey") == route.takesIdempotencyKey,
                "\(route.method.name) \(route.path.text)")
        }
    }

    @Test func namesTheHeaderOfARepeatedResponse() {
        for route in Site.routes {
            let operation = Self.document["paths"]?[route.path.text]?[route.method.name.lowercased()]
            for status in route.statuses where status < 300 {
                let header = operation?["responses"]?["\(status)"]?["headers"]?["Idempotent-Replayed"]
                #expect((header != nil) == route.takesIdempotencyKey, "\(route.method.name) \(route.path.text)")
            }
        }
    }

    @Test func offersIfMatchWhereItCanFail() {
        for route in Site.routes {
            let operation = Self.document["paths"]?[route.path.text]?[route.method.name.lowercased()]
            let parameters = (operation?["parameters"]?.array ?? []).compactMap { $0["$ref"]?.string }
            #expect(
                parameters.contains("#/components/parameters/IfMatch") == route.statuses.contains(412),
                "\(route.method.name) \(route.path.text)")
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

    @Test func refersOnlyToWhatIsThere() {
        var references: [String] = []
        func collect(_ value: JSONValue) {
            for member in value.object?.members ?? [] {
                if member.name == "$ref", let target = member.value.string { references.append(target) }
                collect(member.value)
            }
            for element in value.array ?? [] { collect(element) }
        }
        collect(Self.document)
        #expect(!references.isEmpty)
        for reference in references {
            var value: JSONValue? = Self.document
            for part in reference.split(separator: "/").dropFirst() { value = value?[String(part)] }
            #expect(value != nil, "\(reference)")
        }
    }

    @Test func givesEveryOperationANameOfItsOwn() {
        var names: [String] = []
        for path in Self.document["paths"]?.object?.members ?? [] {
            names += Self.methods.compactMap { path.value[$0]?["operationId"]?.string }
        }
        #expect(names.count == Self.documented.count)
        #expect(Set(names).count == names.count)
    }
}
