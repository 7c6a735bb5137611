package import WaymarkLinks
package import WaymarkStores

/// The versions of links and of their application that the last apply of each owner left, by which a change made elsewhere is known. One document an
/// application, so that a key reads and writes those of its own alone.
package struct AppliedVersions: Sendable {
    /// Of one owner: by `domain/slug`, and as `application` of the application itself, where they are not 1.
    package typealias Versions = [String: Int]

    /// Links of one application.
    package static let limit = 100_000
    private static let prefix = "applied-versions/"
    private static let attempts = 4

    private let documents: SealedDocuments
    private let read: @Sendable ([UInt8]) -> [String: Versions]
    private let written: @Sendable ([String: Versions]) -> [UInt8]

    package init?(
        _ service: LinkService, read: @escaping @Sendable ([UInt8]) -> [String: Versions],
        written: @escaping @Sendable ([String: Versions]) -> [UInt8]
    ) {
        guard let documents = service.documents else { return nil }
        self.documents = documents
        self.read = read
        self.written = written
    }

    package func versions(of owner: String, in application: ApplicationID) async throws(StoreError) -> Versions {
        let stored = try await documents.document(Self.prefix + application.text)
        return stored.flatMap { read($0.content)[owner] } ?? [:]
    }

    /// Merges the given versions into the stored ones; a version of 1 or less removes the link.
    ///
    /// - Returns: false if the application would have too many, or others write all the time.
    package func merge(
        _ versions: Versions, of owner: String, in application: ApplicationID
    ) async throws(StoreError) -> Bool {
        let name = Self.prefix + application.text
        for _ in 0..<Self.attempts {
            let stored = try await documents.document(name)
            var owners = stored.map { read($0.content) } ?? [:]
            // An address has one owner: another one gave the link up.
            owners = owners.compactMapValues { known -> Versions? in
                let rest = known.filter { versions[$0.key] == nil }
                return rest.isEmpty ? nil : rest
            }
            let kept = versions.filter { $0.value > 1 }
            if !kept.isEmpty { owners[owner, default: [:]].merge(kept) { $1 } }
            guard owners.values.reduce(0, { $0 + $1.count }) <= Self.limit else { return false }
            if try await documents.write(name, written(owners), replacing: stored?.version) { return true }
        }
        return false
    }
}
