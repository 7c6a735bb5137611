import Testing
import WaymarkJSON

@testable import WaymarkKit
@testable import WaymarkKitCompatibility

/// The shared cases of swift-deep-linking.
@Suite struct SwiftDeepLinkingVectorTests {
    static let vectors = Vector.all(of: "swift-deep-linking")

    @Test(.enabled(if: !vectors.isEmpty, "the shared vectors are not here"), arguments: vectors)
    func playsAsTheOriginal(vector: Vector) throws {
        let templates = try (vector.input["templates"]?.array ?? []).map(Self.template)
        let url = try #require(vector.input["url"]?.string)
        let matches = templates.enumerated().lazy.compactMap { index, template in
            template.values(in: url).map { (index, $0) }
        }
        let match = matches.first
        #expect(match?.0 == vector.expected["matchedIndex"]?.integer)
        guard let values = match?.1 else { return }
        try Self.expect(values.path, vector.expected["path"])
        try Self.expect(values.query, vector.expected["query"])
        if let fragment = vector.expected["fragment"] { #expect(values.fragment == fragment.string) }
    }

    private static func expect(_ values: [String: any Sendable], _ expected: JSONValue?) throws {
        guard let expected = expected?.object else { return }
        #expect(Set(values.keys) == Set(expected.members.map(\.name)))
        for member in expected.members {
            let value = values[member.name]
            switch member.value.kind {
            case .string(let text): #expect(value as? String == text)
            case .bool(let flag): #expect(value as? Bool == flag)
            default:
                let number = try #require(member.value.number?.double)
                #expect((value as? Int).map(Double.init) ?? value as? Double == number)
            }
        }
    }

    private static func template(_ value: JSONValue) throws -> DeepLinkTemplate {
        var template = DeepLinkTemplate()
        for part in value["path"]?.array ?? [] {
            let member = try #require(part.object?.members.first)
            let name = try #require(member.value.string)
            switch member.name {
            case "term": template = template.term(name)
            case "int": template = template.int(named: name)
            case "double": template = template.double(named: name)
            case "bool": template = template.bool(named: name)
            default: template = template.string(named: name)
            }
        }
        let parameters = try (value["query"]?.array ?? []).map { item -> DeepLinkTemplate.QueryStringParameter in
            let name = try #require(item["name"]?.string)
            switch (item["type"]?.string, item["required"]?.bool ?? false) {
            case ("int", true): return .requiredInt(named: name)
            case ("int", false): return .optionalInt(named: name)
            case ("bool", true): return .requiredBool(named: name)
            case ("bool", false): return .optionalBool(named: name)
            case ("double", true): return .requiredDouble(named: name)
            case ("double", false): return .optionalDouble(named: name)
            case (_, true): return .requiredString(named: name)
            case (_, false): return .optionalString(named: name)
            }
        }
        return template.queryStringParameters(Set(parameters))
    }
}
