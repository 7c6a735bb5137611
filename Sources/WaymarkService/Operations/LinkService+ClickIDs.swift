package import WaymarkLinks

extension LinkService {
    /// Creates the click ID generator of one event loop; must be called after `load`.
    package func makeClickIDMint() -> ClickIDGenerator {
        ClickIDGenerator(secret: clickSecret, seed: randomBits.next())
    }

    /// The contents of a click ID; nil if it is forged, older than 30 days or from the future.
    package func read(clickID text: String) -> ClickID.Content? {
        guard let secret = clickSecret else { return nil }
        return ClickID.parse(text, secret: secret, now: dependencies.now())
    }
}
