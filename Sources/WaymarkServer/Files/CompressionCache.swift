import Dispatch
import Synchronization
import WaymarkTLS

/// Compressed contents, kept in bounded memory, and the one place where contents are compressed: in a queue of its own,
/// one after the other, so that no event loop waits and no crowd of requests takes more than one core for it.
///
/// Safe to use from any thread.
package final class CompressionCache: Sendable {
    /// Says which content it is: two with the same are the same.
    struct Digest: Sendable, Hashable {
        /// 32 hexadecimal digits.
        let text: String

        init(of content: [UInt8]) {
            // Half of SHA-256 is enough to tell contents apart, and short enough for an entity tag.
            text = SHA256.digest(of: content).prefix(16)
                .map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
        }
    }

    private struct Entry {
        /// Nil where compressing does not pay.
        let content: [UInt8]?
        var used: UInt64

        /// With what the dictionary needs for it.
        var cost: Int { (content?.count ?? 0) + 160 }
    }

    private struct State {
        var entries: [Digest: Entry] = [:]
        var bytes = 0
        var time: UInt64 = 0
        var waiting = 0
    }

    private let capacity: Int
    private let mostWaiting: Int
    private let state = Mutex(State())
    private let queue = DispatchQueue(label: "waymark.compression", qos: .utility)

    /// - Parameters:
    ///   - capacity: bytes kept, at most. Default: 16 MiB.
    ///   - mostWaiting: how many requests may wait for the queue; one more goes without compression. Default: 64.
    package init(capacity: Int = 16 << 20, mostWaiting: Int = 64) {
        self.capacity = capacity
        self.mostWaiting = mostWaiting
    }

    /// Bytes that are kept.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// The content compressed; nil where that does not pay or too many wait.
    ///
    /// - Parameter isKept: whether the same content will be asked for again.
    package func compressed(_ content: [UInt8], isKept: Bool) async -> [UInt8]? {
        guard content.count >= Gzip.least else { return nil }
        guard isKept else { return await performUnlessCrowded { Gzip.compressed(content) } ?? nil }
        // The queue is for this too: a digest of a large content takes longer than an event loop should wait.
        return await performUnlessCrowded { self.kept(Digest(of: content)) { content } } ?? nil
    }

    /// The compressed form of the content that has this digest, made where it is not known.
    ///
    /// - Parameter read: gives the content, nil where it can't.
    func compressed(_ digest: Digest, read: @escaping @Sendable () -> [UInt8]?) async -> [UInt8]? {
        if let known = lookUp(digest) { return known }
        return await performUnlessCrowded { self.kept(digest, read) } ?? nil
    }

    /// Runs work in the queue, behind all that waits for it.
    func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    /// Runs work in the queue; nil where too many wait already.
    private func performUnlessCrowded<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result? {
        let mayWait = state.withLock { state in
            guard state.waiting < mostWaiting else { return false }
            state.waiting += 1
            return true
        }
        guard mayWait else { return nil }
        return await perform {
            let result = work()
            self.state.withLock { $0.waiting -= 1 }
            return result
        }
    }

    /// In the queue: whoever waited for the same content finds it.
    private func kept(_ digest: Digest, _ read: () -> [UInt8]?) -> [UInt8]? {
        if let known = lookUp(digest) { return known }
        guard let content = read() else { return nil }
        let compressed = Gzip.compressed(content)
        keep(compressed, for: digest)
        return compressed
    }

    /// Nil where it is not known; a known nil where compressing does not pay.
    private func lookUp(_ digest: Digest) -> [UInt8]?? {
        state.withLock { state in
            guard let content = state.entries[digest]?.content else {
                return state.entries[digest] == nil ? nil : .some(nil)
            }
            state.time += 1
            state.entries[digest]?.used = state.time
            return content
        }
    }

    private func keep(_ content: [UInt8]?, for digest: Digest) {
        state.withLock { state in
            let entry = Entry(content: content, used: state.time + 1)
            // One that would push out most of the others is not worth it.
            guard entry.cost <= capacity / 2, state.entries[digest] == nil else { return }
            state.time += 1
            state.entries[digest] = entry
            state.bytes += entry.cost
            // Rare, and after milliseconds of compressing: a search costs nothing beside that.
            while state.bytes > capacity, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
                state.bytes -= oldest.value.cost
            }
        }
    }
}
