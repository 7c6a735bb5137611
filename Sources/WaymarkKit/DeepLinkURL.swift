/// A URL as its raw text, cut at the delimiters of RFC 3986 and nowhere else.
///
/// Total: any text is a `DeepLinkURL`, whatever it holds. Nothing is decoded, lowered or normalised on the way.
public struct DeepLinkURL: Sendable, Equatable {
    /// What was given.
    public let text: String

    public init(_ text: String) {
        self.text = text
    }
}
