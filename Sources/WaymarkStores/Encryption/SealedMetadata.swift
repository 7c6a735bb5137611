/// The format of sealed metadata. The first byte distinguishes it from unencrypted metadata, which is JSON and never
/// begins with a control character.
package struct SealedMetadata: Sendable {
    private static let format: UInt8 = 1

    package let key: MetadataKey.ID
    let body: ArraySlice<UInt8>

    /// Nil if the stored bytes are not encrypted, or too damaged to have a key's ID.
    package init?(_ stored: [UInt8]) {
        guard Self.isSealed(stored), stored.count >= 2 else { return nil }
        let end = 2 + Int(stored[1])
        guard stored.count >= end, let name = String(validating: stored[2..<end], as: UTF8.self),
            let key = MetadataKey.ID(name)
        else { return nil }
        self.key = key
        body = stored[end...]
    }

    package static func isSealed(_ stored: [UInt8]) -> Bool { stored.first == format }

    static func head(_ key: MetadataKey.ID) -> [UInt8] {
        [format, UInt8(clamping: key.text.utf8.count)] + Array(key.text.utf8)
    }
}
