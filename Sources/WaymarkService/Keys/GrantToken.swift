import WaymarkBytes

/// A code or token of OAuth: a prefix, the ID of its grant, and a secret. By the ID a used one leads to its family.
///
/// Secret; its description does not contain it.
package struct GrantToken: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible {
    package enum Kind: String, Sendable, CaseIterable {
        case code = "wmc_"
        case access = "wma_"
        case refresh = "wmr_"
    }

    /// 22 base62 characters have 131 bits.
    static let idLength = 22
    private static let prefixLength = 4
    private static let length = prefixLength + idLength + 1 + KeyText.generatedLength

    package let kind: Kind
    package let text: String

    package var grantID: String { String(text.utf8.dropFirst(Self.prefixLength).prefix(Self.idLength))! }

    /// Nil if the text has another form.
    package init?(_ text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count == Self.length, let kind = Kind(rawValue: String(text.prefix(Self.prefixLength))),
            bytes[Self.prefixLength + Self.idLength] == UInt8(ascii: "_"),
            bytes.dropFirst(Self.prefixLength).enumerated().allSatisfy({ $0 == Self.idLength || $1.isAlphanumeric })
        else { return nil }
        self.kind = kind
        self.text = String(text)
    }

    package init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length, let text = String(validating: bytes, as: UTF8.self) else { return nil }
        self.init(text)
    }

    init(_ kind: Kind, of grantID: String, randomBytes: (_ count: Int) -> [UInt8]) {
        self.kind = kind
        text =
            kind.rawValue + grantID + "_" + Base62.random(length: KeyText.generatedLength, bytes: randomBytes)
    }

    package var description: String { kind.rawValue + "…" }
    package var debugDescription: String { description }
}
