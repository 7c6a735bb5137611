package import WaymarkLinks

extension LinkService {
    /// What makes one event loop's click ids; after `load`.
    package func makeClickIDMint() -> ClickIDGenerator {
        ClickIDGenerator(secret: clickSecret, seed: randomBits.next())
    }

    /// What a click id says; nil for one that is forged, older than 30 days or from the future.
    package func read(clickID text: String) -> ClickID.Content? {
        guard let secret = clickSecret else { return nil }
        return ClickID.parse(text, secret: secret, now: dependencies.now())
    }
}
