import Synchronization
import WaymarkHTTP

/// Entity tags of files, derived from their content: every server gives the same file the same tag, and a file whose
/// times were reset by an archive or an image is not mistaken for its predecessor.
///
/// Safe to use from any thread.
final class FileTags: Sendable {
    /// The tag of a version, with its digest unless the file is too large to have one.
    struct Tag: Sendable {
        let text: String
        /// Nil for large files, and if the digest could not be computed.
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
            // A request that waited for the same file finds the digest here.
            if let digest = self.lookUp(version) { return CompressionCache.Digest?.some(digest) }
            guard let content = file.contents() else { return nil }
            let digest = CompressionCache.Digest(of: content)
            self.keep(digest, for: version)
            return digest
        }
        // The file is being written to, so the tag falls back to its times.
        return Tag(text: made?.text ?? version.text, digest: made)
    }

    private func lookUp(_ version: FileVersion) -> CompressionCache.Digest? {
        known.withLock { $0[version] }
    }

    private func keep(_ digest: CompressionCache.Digest, for version: FileVersion) {
        known.withLock { known in
            // Cleared as a whole: recomputing the others once is cheaper than maintaining an LRU order.
            if known.count >= Self.capacity { known = [:] }
            known[version] = digest
        }
    }
}
