import Logging
import Testing
import WaymarkLinks
import WaymarkSQLite
import WaymarkService
import WaymarkStores

/// What the last apply of each owner left.
@Suite struct AppliedVersionsTests {
    private let applied: AppliedVersions
    private let shop: ApplicationID

    init() async throws {
        let store = try SQLiteLinkStore(path: ":memory:")
        let service = LinkService(
            store: store, documents: SealedDocuments(store), configuration: ServiceConfiguration(),
            dependencies: ServiceDependencies(
                now: { Timestamp(rawValue: 1) }, randomBytes: { [UInt8](repeating: 7, count: $0) },
                sha256: { ServiceFixture.digest($0) }),
            readApplication: { ApplicationFixtures.shared.application($0) }, logger: Logger(label: "test"))
        applied = try #require(AppliedVersions(service, read: Self.read, written: Self.written))
        shop = try #require(ApplicationID("shop"))
    }

    private static func written(_ owners: [String: AppliedVersions.Versions]) -> [UInt8] {
        let lines = owners.flatMap { owner, versions in versions.map { "\(owner)\t\($0.key)\t\($0.value)" } }
        return Array(lines.joined(separator: "\n").utf8)
    }

    private static func read(_ bytes: [UInt8]) -> [String: AppliedVersions.Versions] {
        var owners: [String: AppliedVersions.Versions] = [:]
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let parts = line.split(separator: UInt8(ascii: "\t")).map { String(decoding: $0, as: UTF8.self) }
            owners[parts[0], default: [:]][parts[1]] = Int(parts[2])
        }
        return owners
    }

    @Test func `versions are read back by their owner alone`() async throws {
        #expect(try await applied.versions(of: "one", in: shop) == [:])
        #expect(try await applied.merge(["d/a": 2, "d/b": 1, "d/c": 7], of: "one", in: shop))
        #expect(try await applied.versions(of: "one", in: shop) == ["d/a": 2, "d/c": 7])
        for other in ["two", "", "one/", "ONE"] {
            #expect(try await applied.versions(of: other, in: shop) == [:])
        }
        let news = try #require(ApplicationID("news"))
        #expect(try await applied.versions(of: "one", in: news) == [:])
    }

    @Test func `a merge changes what it names`() async throws {
        #expect(try await applied.merge(["d/a": 2, "d/b": 3, "application": 4], of: "one", in: shop))
        #expect(try await applied.merge(["d/a": 5, "d/b": 0], of: "one", in: shop))
        #expect(try await applied.versions(of: "one", in: shop) == ["d/a": 5, "application": 4])
        // Another owner has adopted the link.
        #expect(try await applied.merge(["d/a": 6], of: "two", in: shop))
        #expect(try await applied.versions(of: "one", in: shop) == ["application": 4])
        #expect(try await applied.versions(of: "two", in: shop) == ["d/a": 6])
    }

    @Test func `too many versions leave the stored ones`() async throws {
        let most = Dictionary(uniqueKeysWithValues: (0..<AppliedVersions.limit).map { ("d/\($0)", 2) })
        #expect(try await applied.merge(most, of: "one", in: shop))
        #expect(try await applied.merge(["d/more": 2], of: "one", in: shop) == false)
        #expect(try await applied.merge(["d/more": 2], of: "two", in: shop) == false)
        #expect(try await applied.versions(of: "one", in: shop).count == AppliedVersions.limit)
        #expect(try await applied.versions(of: "two", in: shop) == [:])
        // Those that forget others in the same request fit.
        #expect(try await applied.merge(["d/more": 2, "d/0": 1], of: "two", in: shop))
    }
}
