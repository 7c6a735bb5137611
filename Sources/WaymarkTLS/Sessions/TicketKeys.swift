internal import CWaymarkOpenSSL
import Synchronization

/// The keys that encrypt session tickets (RFC 5077 section 4, RFC 8446 section 4.6.1).
///
/// One object for the whole process: a ticket is valid on every thread and after a reload of the certificates. The
/// newest key encrypts; two older ones still decrypt, so a ticket is valid for two to three lifetimes. Keys are never
/// stored: with them, recorded connections of TLS 1.2 could be decrypted.
package final class TicketKeys: Sendable {
    struct Key: Sendable {
        /// Sent in plain text, 16 bytes.
        let name: [UInt8]
        /// For AES-256, 32 bytes.
        let cipher: [UInt8]
        /// For HMAC-SHA-256, 32 bytes.
        let authentication: [UInt8]

        init() {
            name = SecureRandom.bytes(count: 16)
            cipher = SecureRandom.bytes(count: 32)
            authentication = SecureRandom.bytes(count: 32)
        }
    }

    private struct State {
        /// Newest first.
        var keys: [Key]
        var expiry: ContinuousClock.Instant
    }

    private static let keptKeys = 3
    private let lifetime: Duration
    private let state: Mutex<State>

    /// - Parameter lifetime: how long one key encrypts.
    package init(lifetime: Duration = .seconds(12 * 3_600)) {
        self.lifetime = lifetime
        state = Mutex(State(keys: [Key()], expiry: .now.advanced(by: lifetime)))
    }

    /// Inserts a new key and discards the oldest.
    package func rotate() {
        state.withLock { Self.rotate(&$0, lifetime: lifetime) }
    }

    private static func rotate(_ state: inout State, lifetime: Duration) {
        state.keys.insert(Key(), at: 0)
        if state.keys.count > keptKeys { state.keys.removeLast() }
        state.expiry = .now.advanced(by: lifetime)
    }

    /// The key that currently encrypts.
    func newest() -> Key {
        state.withLock { state in
            if state.expiry <= .now { Self.rotate(&state, lifetime: lifetime) }
            return state.keys[0]
        }
    }

    /// The key with this name, and whether it is the newest.
    func key(named name: [UInt8]) -> (key: Key, isNewest: Bool)? {
        state.withLock { state in
            if state.expiry <= .now { Self.rotate(&state, lifetime: lifetime) }
            guard let position = state.keys.firstIndex(where: { $0.name == name }) else { return nil }
            return (state.keys[position], position == 0)
        }
    }
}

extension TicketKeys {
    /// AES-256 in CBC mode, fetched from a provider: its legacy object would be looked up again for each ticket.
    /// `nonisolated(unsafe)` because a pointer is not Sendable; this one is made once, never freed, and OpenSSL lets
    /// any thread use it.
    private nonisolated(unsafe) static let method: OpaquePointer? =
        unsafe EVP_CIPHER_fetch(nil, "AES-256-CBC", nil) ?? EVP_aes_256_cbc()

    /// OpenSSL's callback for making or opening a ticket: -1 is an error, 0 an unknown key (a full handshake
    /// follows), 1 a usable one, 2 a usable one whose ticket should be replaced.
    func prepare(
        name: UnsafeMutablePointer<UInt8>, iv: UnsafeMutablePointer<UInt8>, cipher: OpaquePointer, mac: OpaquePointer,
        isEncrypting: Bool
    ) -> Int32 {
        // unsafe because OpenSSL's buffers are filled: the name has 16 bytes, the vector EVP_MAX_IV_LENGTH, which is
        // the 16 that AES in CBC mode uses.
        let key: Key
        var isNewest = true
        if isEncrypting {
            key = newest()
            for (index, byte) in key.name.enumerated() { unsafe name[index] = byte }
            guard unsafe RAND_bytes(iv, 16) == 1 else { return -1 }
        } else {
            guard let found = self.key(named: unsafe [UInt8](UnsafeBufferPointer(start: name, count: 16))) else {
                return 0
            }
            (key, isNewest) = found
        }
        let start = isEncrypting ? unsafe EVP_EncryptInit_ex : unsafe EVP_DecryptInit_ex
        guard unsafe start(cipher, Self.method, nil, key.cipher, iv) == 1,
            unsafe Self.start(mac, key: key.authentication)
        else { return -1 }
        return isNewest ? 1 : 2
    }

    private static func start(_ mac: OpaquePointer, key: [UInt8]) -> Bool {
        var digest = Array("SHA256".utf8CString)
        // unsafe because the parameters point to a string that is valid inside of the closure, where they are used.
        return unsafe digest.withUnsafeMutableBufferPointer { text in
            let parameters = unsafe [
                OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, text.baseAddress, 0),
                OSSL_PARAM_construct_end(),
            ]
            return unsafe EVP_MAC_init(mac, key, key.count, parameters) == 1
        }
    }
}
