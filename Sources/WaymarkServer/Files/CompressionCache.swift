import Dispatch
import Synchronization
import WaymarkBytes
import WaymarkTLS

/// A bounded cache of compressed contents. All compression runs here, serially in one queue, so that event loops
/// don't wait and a crowd of requests takes at most one core for it.
///
/// Safe to use from any thread.
package final class CompressionCache: Sendable {
    /// Identifies a content: equal contents have equal digests.
    struct Digest: Sendable, Hashable {
        /// 32 hexadecimal digits.
        let text: String

        init(of content: [UInt8]) {
            // Half of SHA-256 is enough to tell contents apart, and short enough for an entity tag.
            text = Hexadecimal.text(SHA256.digest(of: content).prefix(16))
        }
    }

    private struct Entry {
        /// Nil if compression does not pay.
        let content: [UInt8]?
        var used: UInt64

        /// Includes the dictionary's overhead.
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
    ///   - capacity: maximum of stored bytes. Default: 16 MiB.
    ///   - mostWaiting: limit of requests that wait for the queue; further ones are served uncompressed. Default: 64.
    package init(capacity: Int = 16 << 20, mostWaiting: Int = 64) {
        self.capacity = capacity
        self.mostWaiting = mostWaiting
    }

    /// Stored bytes.
    package var bytes: Int { state.withLock { $0.bytes } }

    /// The compressed content; nil if that does not pay or too many requests wait.
    ///
    /// - Parameter isKept: whether to store the result, because the same content will be requested again.
    package func compressed(_ content: [UInt8], isKept: Bool) async -> [UInt8]? {
        guard content.count >= Gzip.least else { return nil }
        guard isKept else { return await performUnlessCrowded { Gzip.compressed(content) } ?? nil }
        // Digests run in the queue too: hashing a large content takes longer than an event loop should wait.
        return await performUnlessCrowded { self.kept(Digest(of: content)) { content } } ?? nil
    }

    /// The compressed content with this digest, computed if not cached.
    ///
    /// - Parameter read: returns the content, nil on failure.
    func compressed(_ digest: Digest, read: @escaping @Sendable () -> [UInt8]?) async -> [UInt8]? {
        if let known = lookUp(digest) { return known }
        return await performUnlessCrowded { self.kept(digest, read) } ?? nil
    }

    /// Runs work in the queue, after all work that waits there.
    func perform<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume(returning: work()) }
        }
    }

    /// Runs work in the queue; nil if too many requests wait already.
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

    /// Runs in the queue, so requests that waited for the same content find it cached.
    private func kept(_ digest: Digest, _ read: () -> [UInt8]?) -> [UInt8]? {
        if let known = lookUp(digest) { return known }
        guard let content = read() else { return nil }
        let compressed = Gzip.compressed(content)
        keep(compressed, for: digest)
        return compressed
    }

    /// Nil if not cached; `.some(nil)` if compression does not pay.
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
            // An entry that would evict most of the others is not stored.
            guard entry.cost <= capacity / 2, state.entries[digest] == nil else { return }
            state.time += 1
            state.entries[digest] = entry
            state.bytes += entry.cost
            // A linear search is fine: eviction is rare, and follows milliseconds of compression.
            while state.bytes > capacity, let oldest = state.entries.min(by: { $0.value.used < $1.value.used }) {
                state.entries[oldest.key] = nil
                state.bytes -= oldest.value.cost
            }
        }
    }
}
