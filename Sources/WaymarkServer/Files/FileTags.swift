import Synchronization
import WaymarkHTTP

/// Entity tags of files: made from what is in them, so that every server gives the same file the same tag, and a file
/// whose times were set back by an archive or an image does not pass for the one before it.
///
/// Safe to use from any thread.
final class FileTags: Sendable {
    /// What is known of a version: its digest, or nothing but that it is too large to have one.
    struct Tag: Sendable {
        let text: String
        /// Nil for large files, and where the digest could not be made.
        let digest: CompressionCache.Digest?

        func entityTag(coded: Bool) -> EntityTag? { EntityTag(coded ? text + "-gz" : text) }
    }

    /// Files up to this size are read for their tag, and compressed: 4 MiB.
    static let largestRead = 4 << 20
    private static let capacity = 4_096

    private let known = Mutex<[FileVersion: CompressionCache.Digest]>([:])
    private let cache: CompressionCache

    init(_ cache: CompressionCache) {
        self.cache = cache
    }

    func tag(of file: OpenFile) async -> Tag {
        let version = file.version
        guard version.count <= Self.largestRead else { return Tag(text: version.text, digest: nil) }
        if let digest = lookUp(version) { return Tag(text: digest.text, digest: digest) }
        let made = await cache.perform {
            // Whoever waited for the same file finds it.
            if let digest = self.lookUp(version) { return CompressionCache.Digest?.some(digest) }
            guard let content = file.contents() else { return nil }
            let digest = CompressionCache.Digest(of: content)
            self.keep(digest, for: version)
            return digest
        }
        // Someone writes to the file just now, so that its times must do.
        return Tag(text: made?.text ?? version.text, digest: made)
    }

    private func lookUp(_ version: FileVersion) -> CompressionCache.Digest? {
        known.withLock { $0[version] }
    }

    private func keep(_ digest: CompressionCache.Digest, for version: FileVersion) {
        known.withLock { known in
            // Cleared as a whole: the rest is read again once, which is cheaper than an order of use.
            if known.count >= Self.capacity { known = [:] }
            known[version] = digest
        }
    }
}
