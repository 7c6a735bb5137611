import WaymarkLinks

/// Generates unguessable slugs, one character longer after each collision.
struct SlugGenerator: Sendable {
    static let attempts = 8

    let bits: SecureBits

    /// - Parameter attempt: the number of collisions so far.
    func slug(attempt: Int) -> Slug {
        var bits = bits
        return Slug.generate(length: Slug.generatedLength + max(0, attempt), using: &bits)
    }
}
