import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON
import WaymarkTestSupport

@testable import waymark

/// `Public/links.schema.json` says what the reader of the files accepts. `Scripts/check-links-schema` validates files with it.
@Suite struct CodeSchemaTests {
    private let schema: JSONValue
    private let api: JSONValue

    init() throws {
        func read(_ name: String) throws -> JSONValue {
            let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().appendingPathComponent("Public/\(name)")
            return try JSONValue(parsing: Array(Data(contentsOf: file)))
        }
        schema = try read("links.schema.json")
        api = try read("openapi.json")
    }

    private func names(_ value: JSONValue?) -> [String] { (value?["properties"]?.object?.members ?? []).map(\.name) }

    @Test func `the schema has the members of the files`() throws {
        #expect(names(schema) == ["$schema"] + CodeFile.members)
        #expect(names(schema["$defs"]?["link"]) == CodeLink.members)
        let expectation = schema["$defs"]?["expectation"]
        #expect(names(expectation) == LinkExpectation.members)
        let visitors = expectation?["properties"]?["as"]?["enum"]?.array?.compactMap(\.string)
        #expect(visitors == ExpectedVisitor.names)
        let outcomes = expectation?["properties"]?["outcome"]?["enum"]?.array?.compactMap(\.string)
        #expect(outcomes == LinkExpectation.outcomes)
    }

    @Test func `the members that it takes from the API exist`() throws {
        for (name, members) in [
            ("Application", ApplicationRequest.members.names), ("WebhookBody", WebhookRequest.members.names),
            ("LinkBody", LinkRequest.members.names),
        ] {
            let described = names(api["components"]?["schemas"]?[name])
            #expect(Set(described) == Set(members), "\(name)")
        }
        let references = Self.references(in: schema)
        #expect(references.count > 25)
        for reference in references {
            let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
            let document = parts.first == "openapi.json" ? api : schema
            let target = (parts.last ?? "").split(separator: "/").reduce(document as JSONValue?) { $0?[String($1)] }
            #expect(target != nil, "\(reference)")
        }
    }

    /// The files have no owner: `waymark apply` sets it.
    @Test(arguments: ["applications", "webhooks"])
    func `managedBy is not allowed in files`(kind: String) {
        #expect(schema["properties"]?[kind]?["items"]?["properties"]?["managedBy"] == false)
    }

    private static func references(in value: JSONValue) -> [String] {
        let members = value.object?.members ?? []
        let own = members.compactMap { $0.name == "$ref" ? $0.value.string : nil }
        return own + (members.map(\.value) + (value.array ?? [])).flatMap { references(in: $0) }
    }
}
