internal import Synchronization
package import WaymarkLinks

/// The configured keys: the first one seals, all of them open. Without keys, metadata is stored unencrypted.
package struct MetadataKeys: Sendable {
    package static let none = MetadataKeys([])

    package let keys: [MetadataKey]

    package init(_ keys: [MetadataKey]) { self.keys = keys }

    package subscript(id: MetadataKey.ID) -> MetadataKey? { keys.first { $0.id == id } }

    /// The stored form of a link's metadata.
    package func stored(_ metadata: [UInt8], for link: LinkID) -> [UInt8] {
        keys.first?.sealed(metadata, for: link) ?? metadata
    }

    /// The metadata of a link from its stored form, sealed or not.
    ///
    /// - Throws: `.unavailable` with the ID of a missing key; `.corrupt` if the bytes were modified, belong to
    ///   another link, or were sealed with another key with the same ID.
    package func metadata(_ stored: [UInt8], of link: LinkID) throws(StoreError) -> [UInt8] {
        guard SealedMetadata.isSealed(stored) else { return stored }
        guard let sealed = SealedMetadata(stored) else { throw .corrupt("the stored metadata of a link is damaged") }
        guard let key = self[sealed.key] else {
            throw .unavailable("the metadata key \"\(sealed.key)\" is missing, with which metadata was sealed")
        }
        guard let metadata = key.opened(sealed, for: link) else {
            throw .corrupt(
                "metadata does not open with the key \"\(sealed.key)\": it was changed, or the key is another one")
        }
        return metadata
    }

    /// The same metadata sealed with the first key; nil if it already is. Unencrypted if there are no keys.
    ///
    /// - Throws: as `metadata(_:of:)`.
    package func resealed(_ stored: [UInt8], of link: LinkID) throws(StoreError) -> [UInt8]? {
        guard let first = keys.first else {
            return SealedMetadata.isSealed(stored) ? try metadata(stored, of: link) : nil
        }
        if SealedMetadata(stored)?.key == first.id { return nil }
        return first.sealed(try metadata(stored, of: link), for: link)
    }
}

/// The keys of an open store; they can be replaced while it is in use.
package final class MetadataKeyRing: Sendable {
    private let keys: Mutex<MetadataKeys>

    package init(_ keys: MetadataKeys = .none) { self.keys = Mutex(keys) }

    package var current: MetadataKeys { keys.withLock { $0 } }

    package func use(_ keys: MetadataKeys) { self.keys.withLock { $0 = keys } }
}
