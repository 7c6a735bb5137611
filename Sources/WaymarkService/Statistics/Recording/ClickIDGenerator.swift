package import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Generates click IDs for one event loop, without locks or system calls.
///
/// Isolation: confined to the thread of its event loop. A class, because a copy would count one more reference to the
/// store, which every event loop shares.
///
/// The random bits only distinguish clicks in the same second, so a fast generator with a secure seed is sufficient;
/// the secret prevents forgery.
package final class ClickIDGenerator {
    private let secret: SipHash?
    private let store: any LinkStore
    private var state: UInt64

    /// - Parameter store: of the servers that read the IDs; those of earlier versions can't read rules in them.
    package init(secret: SipHash?, seed: UInt64, store: any LinkStore) {
        self.secret = secret
        self.store = store
        state = seed
    }

    /// The ID of a click at `now`; until the service has loaded its secret, one that no resolve accepts.
    package func make(
        for link: LinkID, now: Timestamp, counted: Bool, rule: ClickRuleMark = .none
    ) -> ClickID {
        guard let secret else { return .placeholder }
        return make(for: link, now: now, counted: counted, secret: secret, rule: rule)
    }

    /// As above, with the secret of a particular link.
    package func make(
        for link: LinkID, now: Timestamp, counted: Bool, secret: SipHash, rule: ClickRuleMark = .none
    ) -> ClickID {
        ClickID.make(
            link: link, now: now, counted: counted, random: next(), secret: secret,
            rule: rule == .none || store.hasEarlierServers ? .none : rule)
    }

    /// SplitMix64 (Steele, Lea and Flood, 2014).
    private func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
