extension Link {
    /// How many of `count` further clicks fit under `maxClicks`, and the number of reserved clicks then; nil where
    /// there is no `maxClicks`.
    ///
    /// Reserving starts from whichever is more, reserved or counted clicks: those that came while the link had no
    /// `maxClicks` were never reserved.
    package func reservation(upTo count: Int) -> (granted: Int, reserved: Int)? {
        guard let most = content.maxClicks else { return nil }
        let storeHealth = max(reservedClicks, clicks, 0)
        guard count > 0, storeHealth < most else { return (0, reservedClicks) }
        let granted = min(count, most - storeHealth)
        return (granted, storeHealth + granted)
    }
}
