extension Link {
    /// How many of `count` further clicks fit under `maxClicks`, and the resulting number of reserved clicks; nil if
    /// there is no `maxClicks`.
    ///
    /// Reserving starts from the larger of reserved and counted clicks: clicks from before the link had a `maxClicks`
    /// were never reserved.
    package func reservation(upTo count: Int) -> (granted: Int, reserved: Int)? {
        guard let most = content.maxClicks else { return nil }
        let storeHealth = max(reservedClicks, clicks, 0)
        guard count > 0, storeHealth < most else { return (0, reservedClicks) }
        let granted = min(count, most - storeHealth)
        return (granted, storeHealth + granted)
    }
}
