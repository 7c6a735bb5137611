internal import Synchronization

/// The configured keys: the first one seals, all of them open. Without keys, everything is stored unencrypted.
package struct MetadataKeys: Sendable {
    package static let none = MetadataKeys([])

    package let keys: [MetadataKey]

    package init(_ keys: [MetadataKey]) { self.keys = keys }

    package subscript(id: MetadataKey.ID) -> MetadataKey? { keys.first { $0.id == id } }

    /// The stored form. The plain bytes must not begin with byte 1.
    package func stored(_ plain: [UInt8], of owner: SealedOwner) -> [UInt8] {
        keys.first?.sealed(plain, of: owner) ?? plain
    }

    /// The plain bytes of a stored form, sealed or not.
    ///
    /// - Throws: `.unavailable` with the ID of a missing key; `.corrupt` if the bytes were modified, belong to
    ///   another owner, or were sealed with another key with the same ID.
    package func opened(_ stored: [UInt8], of owner: SealedOwner) throws(StoreError) -> [UInt8] {
        guard SealedMetadata.isSealed(stored) else { return stored }
        guard let sealed = SealedMetadata(stored) else { throw .corrupt("\(owner.noun) is damaged") }
        guard let key = self[sealed.key] else {
            throw .unavailable("the metadata key \"\(sealed.key)\" is missing, with which \(owner.noun) was sealed")
        }
        guard let plain = key.opened(sealed, of: owner) else {
            throw .corrupt(
                "\(owner.noun) does not open with the key \"\(sealed.key)\": it was changed, or the key is another one")
        }
        return plain
    }

    /// The same bytes sealed with the first key; nil if they already are. Unencrypted if there are no keys.
    ///
    /// - Throws: as `opened(_:of:)`.
    package func resealed(_ stored: [UInt8], of owner: SealedOwner) throws(StoreError) -> [UInt8]? {
        guard let first = keys.first else {
            return SealedMetadata.isSealed(stored) ? try opened(stored, of: owner) : nil
        }
        if SealedMetadata(stored)?.key == first.id { return nil }
        return first.sealed(try opened(stored, of: owner), of: owner)
    }
}

/// The keys of an open store; they can be replaced while it is in use.
package final class MetadataKeyRing: Sendable {
    private let keys: Mutex<MetadataKeys>

    package init(_ keys: MetadataKeys = .none) { self.keys = Mutex(keys) }

    package var current: MetadataKeys { keys.withLock { $0 } }

    package func use(_ keys: MetadataKeys) { self.keys.withLock { $0 = keys } }
}
