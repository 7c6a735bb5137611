import WaymarkBytes
import WaymarkLinks

/// A key under which stores keep metadata, so that whoever reads the database alone reads none of it.
package struct MetadataKey: Sendable {
    /// What names a key wherever metadata is sealed under it: 1–32 characters of `A-Z a-z 0-9 . _ -`.
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
    ///   - seal: Encrypts, each time with another nonce, and authenticates both arguments.
    ///   - open: What was sealed with the same bytes bound to it; nil for anything else.
    package init(
        id: ID, seal: @escaping @Sendable (_ plain: [UInt8], _ bound: [UInt8]) -> [UInt8],
        open: @escaping @Sendable (_ sealed: [UInt8], _ bound: [UInt8]) -> [UInt8]?
    ) {
        self.id = id
        self.seal = seal
        self.open = open
    }

    /// What is stored: the format's number, the key's id behind its length, and what `seal` gives.
    ///
    /// The link's id is bound to it, and the head: metadata that somebody moves to another link, or claims to be under
    /// another key, does not open.
    func sealed(_ plain: [UInt8], for link: LinkID) -> [UInt8] {
        let head = SealedMetadata.head(id)
        return head + seal(plain, Self.bound(head, link))
    }

    /// Nil where it was not sealed with this key, for this link, or was changed.
    func opened(_ sealed: SealedMetadata, for link: LinkID) -> [UInt8]? {
        sealed.key == id ? open(Array(sealed.body), Self.bound(SealedMetadata.head(id), link)) : nil
    }

    private static func bound(_ head: [UInt8], _ link: LinkID) -> [UInt8] {
        let number = UInt64(bitPattern: link.rawValue)
        return head + (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
    }
}

extension MetadataKey {
    /// The link of no link: what a database keeps of a key itself, to know it again.
    private static let own = LinkID(rawValue: 0)
    private static let mark = Array("waymark".utf8)

    /// What a database keeps once metadata is sealed with this key.
    package func makeProof() -> [UInt8] { sealed(Self.mark, for: Self.own) }

    /// Whether the proof was made with this very key, and not with another of the same id.
    package func recognises(_ proof: [UInt8]) -> Bool {
        guard let sealed = SealedMetadata(proof) else { return false }
        return opened(sealed, for: Self.own) == Self.mark
    }
}
