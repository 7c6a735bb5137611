/// A store that seals metadata and has a proof of each key that it was ever sealed with.
package protocol SealingStore: LinkStore, DocumentStore {
    var metadataKeys: MetadataKeyRing { get }
    /// All secrets whose name has this prefix.
    func secrets(prefix: String) async throws(StoreError) -> [StoredSecret]
}

package struct StoredSecret: Sendable, Equatable {
    package var name: String
    package var value: [UInt8]

    package init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// The prefix of the secrets that identify the visitors of a day; followed by the day's number.
    package static let visitorsPrefix = "visitors-"
}

/// Why keys don't match a database's.
package enum MetadataKeyProblem: Error, Sendable, Equatable, CustomStringConvertible {
    case missing(MetadataKey.ID)
    case different(MetadataKey.ID)

    package var description: String {
        switch self {
        case .missing(let id): "the key \"\(id)\" is missing, with which metadata in the database is sealed"
        case .different(let id): "the key \"\(id)\" is not the one with which metadata in the database is sealed"
        }
    }
}

extension MetadataKeys {
    /// The prefix of the secrets with proofs; followed by a key's ID.
    package static let proofPrefix = "metadata-key."

    package static func proofName(_ id: MetadataKey.ID) -> String { proofPrefix + id.text }

    /// Checks the keys against the proofs in a database. Nil if all match.
    package func problem(with proofs: [StoredSecret]) -> MetadataKeyProblem? {
        for proof in proofs.sorted(by: { $0.name < $1.name }) where proof.name.hasPrefix(Self.proofPrefix) {
            guard let id = MetadataKey.ID(String(proof.name.dropFirst(Self.proofPrefix.count))) else { continue }
            guard let key = self[id] else { return .missing(id) }
            guard key.recognises(proof.value) else { return .different(id) }
        }
        return nil
    }
}

extension SealingStore {
    /// Checks the keys against the database, stores a proof of the first one, and uses them from now on. If they
    /// don't match, nothing is changed.
    package func use(_ keys: MetadataKeys) async throws(StoreError) -> MetadataKeyProblem? {
        if let problem = keys.problem(with: try await secrets(prefix: MetadataKeys.proofPrefix)) { return problem }
        if let first = keys.keys.first {
            // If two servers start concurrently with different keys of one ID, one of them finds the other's proof
            // here.
            let proof = try await secret(MetadataKeys.proofName(first.id)) { first.makeProof() }
            guard first.recognises(proof) else { return .different(first.id) }
        }
        metadataKeys.use(keys)
        return nil
    }
}
