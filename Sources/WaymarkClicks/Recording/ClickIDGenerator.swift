package import WaymarkBytes
package import WaymarkLinks

/// Makes click ids, for one event loop: thread-confined, without lock or system call.
///
/// The random bits only tell clicks of one second apart, so a fast generator with a secure seed is enough; that nobody
/// else makes ids is the secret's doing.
package struct ClickIDGenerator {
    private let secret: SipHash?
    private var state: UInt64

    package init(secret: SipHash?, seed: UInt64) {
        self.secret = secret
        state = seed
    }

    /// The id of a click at `now`. Before the service has loaded its secret it is one that no resolve accepts.
    package mutating func make(for link: LinkID, now: Timestamp, counted: Bool) -> ClickID {
        guard let secret else { return .placeholder }
        return ClickID.make(link: link, now: now, counted: counted, random: next(), secret: secret)
    }

    /// The same, made with a secret of the link's own.
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
