import Synchronization

/// Nonces that an authority has handed out, each for one signed request (RFC 8555 section 6.5).
final class NoncePool: Sendable {
    private static let countLimit = 16
    private static let lengthLimit = 512

    private let nonces = Mutex<[String]>([])

    func add(_ nonce: String?) {
        guard let nonce, Self.isValid(nonce) else { return }
        nonces.withLock { nonces in
            // The oldest are the first that the authority forgets.
            if nonces.count >= Self.countLimit { nonces.removeFirst() }
            nonces.append(nonce)
        }
    }

    /// The newest.
    func take() -> String? { nonces.withLock { $0.popLast() } }

    func removeAll() { nonces.withLock { $0 = [] } }

    /// Base64url only: a client must reject others.
    static func isValid(_ nonce: String) -> Bool {
        (1...lengthLimit).contains(nonce.utf8.count)
            && nonce.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }
}
