package import WaymarkBytes
package import WaymarkLinks

/// Generates click IDs for one event loop: confined to its thread, without locks or system calls.
///
/// The random bits only distinguish clicks in the same second, so a fast generator with a secure seed is sufficient;
/// the secret prevents forgery.
package struct ClickIDGenerator {
    private let secret: SipHash?
    private var state: UInt64

    package init(secret: SipHash?, seed: UInt64) {
        self.secret = secret
        state = seed
    }

    /// The ID of a click at `now`; until the service has loaded its secret, one that no resolve accepts.
    package mutating func make(for link: LinkID, now: Timestamp, counted: Bool) -> ClickID {
        guard let secret else { return .placeholder }
        return ClickID.make(link: link, now: now, counted: counted, random: next(), secret: secret)
    }

    /// As above, with the secret of a particular link.
    package mutating func make(for link: LinkID, now: Timestamp, counted: Bool, secret: SipHash) -> ClickID {
        ClickID.make(link: link, now: now, counted: counted, random: next(), secret: secret)
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
