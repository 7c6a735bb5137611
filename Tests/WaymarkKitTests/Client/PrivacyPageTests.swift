import Foundation
import Testing
import WaymarkAPI
import WaymarkJSON

/// `docs/privacy.md` says what apps send, and what to answer in the stores.
@Suite struct PrivacyPageTests {
    private static let root = URL(fileURLWithPath: #filePath.components(separatedBy: "/Tests/")[0])

    /// The rows of the first table below a heading, without its head.
    private static func table(_ heading: String) throws -> [[String]] {
        let page = try String(contentsOf: root.appending(path: "docs/privacy.md"), encoding: .utf8)
        let section = try #require(page.components(separatedBy: "\n## \(heading)\n").dropFirst().first)
        let lines = section.components(separatedBy: "\n## ")[0].split(separator: "\n").filter { $0.hasPrefix("| ") }
        return lines.dropFirst().map { line in
            line.dropFirst().dropLast().split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
        }
    }

    /// The names of all members; objects and arrays count by what is in them.
    private static func members(_ shape: JSONShape) -> Set<String> {
        switch shape {
        case .object(let members):
            members.reduce(into: []) { names, member in
                let inner = Self.members(member.value)
                names.formUnion(inner.isEmpty ? [member.key] : inner)
            }
        case .array(let element, _): members(element)
        case .any, .scalar, .bytes, .map: []
        }
    }

    @Test func `all members that apps send are listed`() throws {
        let shapes = [
            ResolveRequest.shape, ClaimRequest.shape, EventsRequest.shape, ConversionsRequest.shape,
            InstallationRequest.shape,
        ]
        let sent = shapes.reduce(into: Set<String>()) { $0.formUnion(Self.members($1)) }
        let listed = try Self.table("What an app sends").map { row in
            row[0].split(separator: ",").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
        }
        #expect(Set(listed.joined()) == sent)
    }

    @Test(arguments: [(2, "Google Play: Data safety"), (3, "Apple: privacy labels")])
    func `each kind of data has an answer for the store`(column: Int, heading: String) throws {
        let sent = Set(try Self.table("What an app sends").map { $0[column] }).subtracting(["–"])
        #expect(Set(try Self.table(heading).map { $0[0] }).subtracting(["all other types"]) == sent)
    }

    @Test func `the labels are those of the privacy manifest`() throws {
        let data = try Data(contentsOf: Self.root.appending(path: "Sources/WaymarkKit/PrivacyInfo.xcprivacy"))
        let manifest = try #require(
            try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any])
        let types = try #require(manifest["NSPrivacyCollectedDataTypes"] as? [[String: Any]])
        let declared = types.map { type in
            let purposes = type["NSPrivacyCollectedDataTypePurposes"] as? [String] ?? []
            return [
                type["NSPrivacyCollectedDataType"] as? String ?? "",
                type["NSPrivacyCollectedDataTypeLinked"] as? Bool == false ? "no" : "yes",
                type["NSPrivacyCollectedDataTypeTracking"] as? Bool == false ? "no" : "yes",
                purposes.joined(separator: " "),
            ]
        }
        let labels = try Self.table("Apple: privacy labels").filter { $0[1] == "yes" }.map { row in
            [
                "NSPrivacyCollectedDataType" + row[0].filter { $0 != " " }, row[2], row[3],
                "NSPrivacyCollectedDataTypePurpose" + row[4].filter { $0 != " " },
            ]
        }
        #expect(labels == declared)
        #expect(manifest["NSPrivacyTracking"] as? Bool == false)
    }
}
