import Foundation
import WaymarkBytes

/// Sends requests that must take effect only once, no matter how often they are sent.
///
/// The idempotency key is stored before the first attempt and removed when the service has responded. Until then,
/// repeating the request uses the same key, even after the app was killed.
final class IdempotentRequests: Sendable {
    private let sender: RequestSender
    private let pending: StoredState<PendingRequests>
    private let underWay = LockedValue<[String: Calls]>([:])

    /// The calls in flight with one key.
    private struct Calls {
        var count = 0
        /// Whether one of them has ended without a response: its repetition needs the key.
        var isOneLost = false
    }

    init(sender: RequestSender, storage: any ClientStorage) {
        self.sender = sender
        pending = StoredState(storage)
    }

    /// - Parameters:
    ///   - isShared: whether equal concurrent requests share a key and count as one (resolving a link that was tapped
    ///     twice), or have a key each (creating two links).
    ///   - read: decodes the response's body; nil if it is not the service's. A captive portal also responds with 200.
    func post<Value>(
        _ path: String, _ body: [UInt8], isShared: Bool, read: ([UInt8]) -> Value?
    ) async throws(WaymarkClientError) -> Value {
        let key = begin(RequestFingerprint.of(path, body), isShared: isShared)
        do throws(WaymarkClientError) {
            let answer = try await sender.post(path, body, idempotencyKey: key)
            guard let value = read(answer.body) else {
                throw WaymarkClientError.unexpectedAnswer(status: answer.status, retryAfter: nil)
            }
            end(key, isAnswered: true)
            return value
        } catch {
            end(key, isAnswered: error.isFinal)
            throw error
        }
    }

    private func begin(_ fingerprint: String, isShared: Bool) -> String {
        let now = sender.clock.now.wholeSeconds
        let fresh = sender.random.identifier()
        return underWay.withLock { underWay in
            let busy = underWay
            let key = pending.update { pending in
                if let key = pending.key(for: fingerprint, now: now, isFree: { isShared || busy[$0] == nil }) {
                    return key
                }
                pending.note(fingerprint, key: fresh, now: now)
                return fresh
            }
            underWay[key, default: Calls()].count += 1
            return key
        }
    }

    private func end(_ key: String, isAnswered: Bool) {
        underWay.withLock { underWay in
            var calls = underWay[key] ?? Calls(count: 1)
            calls.count -= 1
            if !isAnswered { calls.isOneLost = true }
            underWay[key] = calls.count > 0 ? calls : nil
            if calls.count == 0, !calls.isOneLost { pending.update { $0.forget(key: key) } }
        }
    }
}

extension Date {
    /// Unix time in whole seconds; 0 if the value does not fit an `Int`.
    var wholeSeconds: Int {
        Int(exactly: timeIntervalSince1970.rounded(.down)) ?? 0
    }
}

/// Identifies requests without storing them: 128-bit FNV-1a over path and body. It need not resist attacks: only the
/// app itself could produce collisions, and the service compares the bodies.
enum RequestFingerprint {
    static func of(_ path: String, _ body: [UInt8]) -> String {
        var hash = Hash()
        for byte in path.utf8 { hash.add(byte) }
        // Separates path and body: a path has no zero byte.
        hash.add(0)
        for byte in body { hash.add(byte) }
        return hash.text
    }

    /// The FNV-1a state in two halves, because `UInt128` requires iOS 18.
    private struct Hash {
        private var high: UInt64 = 0x6c62_272e_07bb_0142
        private var low: UInt64 = 0x62b8_2175_6295_c58d

        /// Multiplies by the prime 2^88 + 0x13b, modulo 2^128.
        mutating func add(_ byte: UInt8) {
            low ^= UInt64(byte)
            let product = low.multipliedFullWidth(by: 0x13b)
            high = high &* 0x13b &+ product.high &+ low << 24
            low = product.low
        }

        var text: String {
            guard high != 0 else { return String(low, radix: 16) }
            return String(high, radix: 16) + Hexadecimal.text(low, width: 16)
        }
    }
}
