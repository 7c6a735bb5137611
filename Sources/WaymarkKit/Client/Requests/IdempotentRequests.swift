import Foundation

/// Requests that must have their effect once, however often they are sent.
///
/// The key of a request is stored before it is first sent and forgotten when the service has answered. The same
/// request made while there was no answer, also after the app was killed, goes out under the same key.
final class IdempotentRequests: Sendable {
    private let sender: RequestSender
    private let pending: StoredState<PendingRequests>
    /// How many calls are waiting under a key.
    private let underWay = LockedValue<[String: Int]>([:])

    init(sender: RequestSender, storage: any ClientStorage) {
        self.sender = sender
        pending = StoredState(storage)
    }

    /// - Parameter isShared: whether equal requests that run at once are one (resolving the link that was tapped twice) or
    ///   several (making two links).
    func post(
        _ path: String, _ body: [UInt8], isShared: Bool
    ) async throws(WaymarkClientError) -> TransportResponse {
        let key = begin(RequestFingerprint.of(path, body), isShared: isShared)
        do throws(WaymarkClientError) {
            let answer = try await sender.post(path, body, idempotencyKey: key)
            end(key, isAnswered: true)
            return answer
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
            underWay[key, default: 0] += 1
            return key
        }
    }

    private func end(_ key: String, isAnswered: Bool) {
        underWay.withLock { underWay in
            let others = (underWay[key] ?? 1) - 1
            underWay[key] = others > 0 ? others : nil
            if isAnswered { pending.update { $0.forget(key: key) } }
        }
    }
}

extension Date {
    /// Seconds since 1970; a date beyond all calendars counts as the beginning.
    var wholeSeconds: Int {
        Int(exactly: timeIntervalSince1970.rounded(.down)) ?? 0
    }
}

/// Tells requests apart without keeping them: FNV-1a with 128 bits over path and body. It need not withstand anybody: who
/// could write bodies that meet is the app itself, and the service compares the bodies.
enum RequestFingerprint {
    static func of(_ path: String, _ body: [UInt8]) -> String {
        var hash = Hash()
        for byte in path.utf8 { hash.add(byte) }
        // No byte of a path is zero, so nothing moves from the one to the other.
        hash.add(0)
        for byte in body { hash.add(byte) }
        return hash.text
    }

    /// The state of FNV-1a in two halves: `UInt128` needs iOS 18.
    private struct Hash {
        private var high: UInt64 = 0x6c62_272e_07bb_0142
        private var low: UInt64 = 0x62b8_2175_6295_c58d

        /// Times the prime 2^88 + 0x13b, modulo 2^128.
        mutating func add(_ byte: UInt8) {
            low ^= UInt64(byte)
            let product = low.multipliedFullWidth(by: 0x13b)
            high = high &* 0x13b &+ product.high &+ low << 24
            low = product.low
        }

        var text: String {
            let digits = String(low, radix: 16)
            guard high != 0 else { return digits }
            return String(high, radix: 16) + String(repeating: "0", count: 16 - digits.count) + digits
        }
    }
}
