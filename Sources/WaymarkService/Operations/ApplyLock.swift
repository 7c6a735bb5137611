import WaymarkBytes
package import WaymarkLinks
package import WaymarkStores

/// Lets one program at a time apply files to the links of a database.
///
/// It ends by itself if its holder dies. It stops nobody else who changes links: that is drift, which the next plan shows.
package struct ApplyLock: Sendable {
    /// A program that does not renew it has lost it. In milliseconds.
    package static let length: Int64 = 20_000
    private static let name = "apply-lock"

    package struct State: Sendable, Equatable {
        /// Nil: nobody holds it.
        package var token: String?
        package var owner = ""
        /// That of the holder's key; nil: all, or several.
        package var application: ApplicationID?
        package var until = Timestamp(rawValue: 0)

        package init() {}
    }

    private let documents: SealedDocuments
    private let dependencies: ServiceDependencies
    private let read: @Sendable ([UInt8]) -> State?
    private let written: @Sendable (State) -> [UInt8]

    /// - Parameters:
    ///   - read: a stored state.
    ///   - written: a state as it is stored.
    package init?(
        _ service: LinkService, read: @escaping @Sendable ([UInt8]) -> State?,
        written: @escaping @Sendable (State) -> [UInt8]
    ) {
        guard let documents = service.documents else { return nil }
        self.documents = documents
        dependencies = service.dependencies
        self.read = read
        self.written = written
    }

    /// Takes or renews the lock.
    ///
    /// - Parameters:
    ///   - application: that of the caller's key.
    ///   - token: that of its holder, who renews it.
    /// - Returns: the state now; it is the caller's if `isHeld`.
    package func take(
        for owner: String, in application: ApplicationID?, token: String?
    ) async throws(StoreError) -> (isHeld: Bool, state: State) {
        let stored = try await documents.document(Self.name)
        var state = stored.flatMap { read($0.content) } ?? State()
        let now = dependencies.now()
        let isFree = state.token == nil || !(now...now.advanced(byMilliseconds: 2 * Self.length)).contains(state.until)
        guard isFree ? token == nil || state.token == token : state.token == token else { return (false, state) }
        state.token = token ?? Base62.random(length: 20, bytes: dependencies.randomBytes)
        state.owner = owner
        state.application = application
        state.until = now.advanced(byMilliseconds: Self.length)
        let isWritten = try await documents.write(Self.name, written(state), replacing: stored?.version)
        return (isWritten, state)
    }

    /// Frees the lock if it is still the holder's.
    package func release(_ token: String) async throws(StoreError) -> Bool {
        guard let stored = try await documents.document(Self.name), var state = read(stored.content),
            state.token == token
        else { return false }
        state.token = nil
        return try await documents.write(Self.name, written(state), replacing: stored.version)
    }
}
