import WaymarkBytes
package import WaymarkClicks
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

    /// The same for a click on a long link. The ID is bound to the link's parameters, because they are not stored.
    func read(clickID text: String, of longLink: CachedLink) -> ClickID.Content? {
        guard let secret = longLink.clickSecret else { return nil }
        let content = ClickID.parse(text, secret: secret, now: dependencies.now())
        return content?.link == .unstored ? content : nil
    }

    /// The secret of a long link's click IDs, derived from the service's and the link's URL.
    func clickSecret(ofLongLink address: String) -> SipHash? {
        guard let secret = clickSecret else { return nil }
        let message = Array("long link ".utf8) + Array(address.utf8)
        // Safety: the two words have no padding; their bytes are read within the closure.
        let key = unsafe withUnsafeBytes(of: (secret.hash(message + [0]), secret.hash(message + [1]))) {
            unsafe Array($0)
        }
        return SipHash(key: key)
    }
}

extension ClickIDGenerator {
    /// The ID of a click on a link, with the link's own secret if it has one.
    package mutating func make(for cached: CachedLink, now: Timestamp, counted: Bool) -> ClickID {
        guard let secret = cached.clickSecret else { return make(for: cached.link.id, now: now, counted: counted) }
        return make(for: cached.link.id, now: now, counted: counted, secret: secret)
    }
}
