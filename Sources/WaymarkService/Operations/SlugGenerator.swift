import WaymarkLinks

/// Makes slugs that nobody can guess: one character more with each attempt that met a taken one.
struct SlugGenerator: Sendable {
    static let attempts = 8

    let bits: SecureBits

    /// - Parameter attempt: 0 at first.
    func slug(attempt: Int) -> Slug {
        var bits = bits
        return Slug.generate(length: Slug.generatedLength + max(0, attempt), using: &bits)
    }
}
