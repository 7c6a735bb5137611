import WaymarkBytes
import WaymarkLinks

/// A key that encrypts metadata, and secrets of the service, in stores, so that access to the database alone does not reveal
/// them.
package struct MetadataKey: Sendable {
    /// The ID of a key, stored with metadata sealed with it: 1–32 characters of `A-Z a-z 0-9 . _ -`.
    package struct ID: Hashable, Sendable, CustomStringConvertible {
        package let text: String

        package static let allowed = "1 to 32 of A-Z a-z 0-9 . _ -"

        package init?(_ text: String) {
            guard (1...32).contains(text.utf8.count) else { return nil }
            let isGood = text.unicodeScalars.allSatisfy { character in
                switch character {
                case "A"..."Z", "a"..."z", "0"..."9", ".", "_", "-": true
                default: false
                }
            }
            guard isGood else { return nil }
            self.text = text
        }

        package var description: String { text }
    }

    package let id: ID
    private let seal: @Sendable (_ plain: [UInt8], _ bound: [UInt8]) -> [UInt8]
    private let open: @Sendable (_ sealed: [UInt8], _ bound: [UInt8]) -> [UInt8]?

    /// - Parameters:
    ///   - seal: encrypts with a new nonce each time, and authenticates both arguments.
    ///   - open: decrypts bytes sealed with the same bound bytes; nil for any others.
    package init(
        id: ID, seal: @escaping @Sendable (_ plain: [UInt8], _ bound: [UInt8]) -> [UInt8],
        open: @escaping @Sendable (_ sealed: [UInt8], _ bound: [UInt8]) -> [UInt8]?
    ) {
        self.id = id
        self.seal = seal
        self.open = open
    }

    /// The stored form: the format's number, the key's ID with its length, and the output of `seal`.
    ///
    /// It is bound to its owner and this header: bytes moved to another owner, or relabelled with another key, can't be
    /// opened.
    func sealed(_ plain: [UInt8], of owner: SealedOwner) -> [UInt8] {
        let head = SealedMetadata.head(id)
        return head + seal(plain, head + owner.bytes)
    }

    /// Nil if it was not sealed with this key for this owner, or was modified.
    func opened(_ sealed: SealedMetadata, of owner: SealedOwner) -> [UInt8]? {
        sealed.key == id ? open(Array(sealed.body), SealedMetadata.head(id) + owner.bytes) : nil
    }
}

extension MetadataKey {
    /// Represents no link: for the proof that a database stores of the key itself.
    private static let own = SealedOwner.link(LinkID(rawValue: 0))
    private static let mark = Array("waymark".utf8)

    /// A proof of this key, stored once metadata is sealed with it.
    package func makeProof() -> [UInt8] { sealed(Self.mark, of: Self.own) }

    /// Whether the proof was made with this key rather than another one with the same ID.
    package func recognises(_ proof: [UInt8]) -> Bool {
        guard let sealed = SealedMetadata(proof) else { return false }
        return opened(sealed, of: Self.own) == Self.mark
    }
}
