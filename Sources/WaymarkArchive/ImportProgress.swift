package import WaymarkLinks

/// How far an import has come, kept in the store that it fills, in the same transactions. While it is there the store
/// is not whole.
package struct ImportProgress: Sendable, Equatable {
    package static let secretName = "import"

    /// What is imported: an export's id, or a database's name.
    package var source: String
    /// The last link that has arrived; 0 before the first.
    package var lastLink: LinkID

    package init(source: String, lastLink: LinkID = LinkID(rawValue: 0)) {
        self.source = source
        self.lastLink = lastLink
    }

    var secret: StoredSecret {
        StoredSecret(name: Self.secretName, value: Array("\(lastLink.rawValue) \(source)".utf8))
    }

    init?(_ value: [UInt8]) {
        let parts = String(decoding: value, as: UTF8.self).split(separator: " ", maxSplits: 1)
        guard parts.count == 2, let id = Int64(parts[0]) else { return nil }
        self.init(source: String(parts[1]), lastLink: LinkID(rawValue: id))
    }
}
