package import WaymarkLinks

extension LinkContentCodec {
    /// Fields that programs of lower levels can't read; all others are of the first level.
    private static let needs: [UInt8: FormatNeed] = [
        Tag.title: FormatNeed(.v0_2, "title"),
        Tag.note: FormatNeed(.v0_2, "note"),
        Tag.firebase: FormatNeed(.v0_2, "parameters of Firebase Dynamic Links"),
        Tag.importedClicks: FormatNeed(.v0_2, "clicks before an import"),
        Tag.aliases: aliasNeed,
    ]

    /// Of links that are renamed.
    package static let aliasNeed = FormatNeed(.v0_2, "slugs that a link had before")

    /// What a program must read to read the contents; nil if every program can.
    package static func need(of contents: some Sequence<LinkContent>) -> FormatNeed? {
        contents.lazy.compactMap { need(ofEncoded: encode($0)) }.highest
    }

    /// Of bytes that `encode` has written.
    static func need(ofEncoded bytes: [UInt8]) -> FormatNeed? {
        var reader = BinaryReader(bytes[...])
        var highest: FormatNeed?
        guard reader.byte() == format else { return nil }
        while let tag = reader.byte(), reader.run() != nil {
            guard let need = needs[tag], need.level > highest?.level ?? .v0_1 else { continue }
            highest = need
        }
        return highest
    }
}
