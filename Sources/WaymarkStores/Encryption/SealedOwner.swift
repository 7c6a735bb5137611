package import WaymarkLinks

/// What sealed bytes belong to.
package enum SealedOwner: Sendable {
    /// Metadata.
    case link(LinkID)
    /// A secret that signs the messages of the endpoint with this ID.
    case webhook(String)
    /// The content of the document with this name.
    case document(String)

    /// What bytes are bound to: eight bytes for a link, more for the others.
    var bytes: [UInt8] {
        switch self {
        case .link(let id):
            let number = UInt64(bitPattern: id.rawValue)
            return (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(56 - 8 * $0)) }
        case .webhook(let id): return Array("webhook/\(id)".utf8)
        case .document(let name): return Array("document/\(name)".utf8)
        }
    }

    /// To begin a sentence in the singular.
    var noun: String {
        switch self {
        case .link: "the stored metadata of a link"
        case .webhook(let id): "the stored secret of the webhook \"\(id)\""
        case .document(let name): "the stored document \"\(name)\""
        }
    }
}
