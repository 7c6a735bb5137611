import FoundationEssentials
import Testing

/// A raw request in a file beside the tests.
struct Fixture: Sendable, CustomTestStringConvertible {
    /// The file's name without its extension.
    let name: String
    let bytes: [UInt8]

    var testDescription: String { name }

    /// The status that the file's name starts with.
    var expectedStatus: Int? { Int(name.prefix { $0 != "-" }) }

    /// All fixtures of a folder, by name.
    static func all(in folder: String) -> [Fixture] {
        let path = String(#filePath.prefix(upTo: #filePath.lastIndex(of: "/") ?? #filePath.endIndex))
        let directory = path + "/Fixtures/" + folder
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.filter { $0.hasSuffix(".http") }.sorted().map { name in
            let data = FileManager.default.contents(atPath: directory + "/" + name) ?? Data()
            return Fixture(name: String(name.dropLast(5)), bytes: Array(data))
        }
    }
}
