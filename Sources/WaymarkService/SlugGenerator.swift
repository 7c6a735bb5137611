import WaymarkLinks

/// Makes slugs that nobody can guess: 7 base62 characters are 41 bits, one more with each attempt that met a taken one.
struct SlugGenerator: Sendable {
    static let attempts = 8
    private static let shortest = 7

    let randomBytes: @Sendable (_ count: Int) -> [UInt8]

    /// - Parameter attempt: 0 at first.
    func slug(attempt: Int) -> Slug {
        while true {
            let text = Base62.random(length: Self.shortest + max(0, attempt), bytes: randomBytes)
            // A reserved word, `metrics` or so, comes up now and then.
            if let slug = Slug(text) { return slug }
        }
    }
}
