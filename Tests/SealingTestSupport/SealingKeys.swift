import WaymarkLinks
package import WaymarkStores
import WaymarkTLS

/// Keys of metadata for tests: each id stands for another key.
package enum SealingKeys {
    package struct Missing: Error {
        package init() {}
    }

    package static func key(_ id: String, seed: UInt8 = 1) throws -> MetadataKey {
        guard let cipher = AES256GCM(key: (0..<32).map { $0 &* seed &+ UInt8(id.utf8.count) }),
            let id = MetadataKey.ID(id)
        else { throw Missing() }
        return MetadataKey(id: id) {
            cipher.seal($0, authenticated: $1)
        } open: {
            cipher.open($0, authenticated: $1)
        }
    }

    package static func ring(_ ids: String...) throws -> MetadataKeyRing {
        MetadataKeyRing(try keys(ids.isEmpty ? ["a"] : ids))
    }

    package static func keys(_ ids: [String]) throws -> MetadataKeys { MetadataKeys(try ids.map { try key($0) }) }
}
