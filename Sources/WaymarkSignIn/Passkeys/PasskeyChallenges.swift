import WaymarkTLS

/// Makes challenges, and knows its own ones again without remembering them: servers that share the key accept each other's.
///
/// A challenge holds its time, eight random bytes, and a code of both and of its purpose. That it is answered once, the caller
/// sees to: an answer to a challenge that is not younger than the passkey's last use is a repetition.
package struct PasskeyChallenges: Sendable {
    package enum Purpose: Sendable, Equatable {
        case signIn
        /// A new passkey of this person.
        case registration(person: String)

        fileprivate var text: String {
            switch self {
            case .signIn: "sign-in"
            case .registration(let person): "registration " + person
            }
        }
    }

    /// Milliseconds for which a challenge is accepted: as long as browsers wait for the person.
    package static let lifetime = Int64(PasskeyOptions.timeout)

    /// How far clocks of servers may differ.
    private static let skew: Int64 = 60_000

    private let key: [UInt8]

    /// - Parameter key: 32 secret bytes.
    package init(key: [UInt8]) { self.key = key }

    /// - Parameter now: milliseconds since 1970.
    package func challenge(for purpose: Purpose, now: Int64) -> PasskeyChallenge {
        let time = (0..<8).reversed().map { UInt8(truncatingIfNeeded: now >> (8 * Int64($0))) }
        let start = time + SecureRandom.bytes(count: 8)
        // checked: 8 + 8 + 16 bytes
        return PasskeyChallenge(start + code(of: start, purpose))!
    }

    /// When a challenge was made, in milliseconds since 1970.
    ///
    /// - Throws: `PasskeyRefusal.challenge` for one that was not made here, for another purpose, or too long ago.
    package func time(
        of challenge: PasskeyChallenge, for purpose: Purpose, now: Int64
    ) throws(PasskeyRefusal) -> Int64 {
        let start = Array(challenge.bytes.prefix(16))
        guard ConstantTime.areEqual(Array(challenge.bytes.dropFirst(16)), code(of: start, purpose)) else {
            throw .challenge
        }
        let time = start.prefix(8).reduce(0) { $0 << 8 | Int64($1) }
        // A little later than now by another server's clock.
        guard (-Self.skew...Self.lifetime).contains(now - time) else { throw .challenge }
        return time
    }

    private func code(of start: [UInt8], _ purpose: Purpose) -> [UInt8] {
        Array(HMACSHA256.code(of: start + Array(purpose.text.utf8), key: key).prefix(16))
    }
}
