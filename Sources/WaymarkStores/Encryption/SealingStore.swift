/// A store that seals metadata, and keeps a proof of each key that it ever sealed with.
package protocol SealingStore: LinkStore {
    var metadataKeys: MetadataKeyRing { get }
    /// Every secret whose name begins with the prefix.
    func secrets(prefix: String) async throws(StoreError) -> [StoredSecret]
}

package struct StoredSecret: Sendable, Equatable {
    package var name: String
    package var value: [UInt8]

    package init(name: String, value: [UInt8]) {
        self.name = name
        self.value = value
    }

    /// Names of secrets begin with it that tell the visitors of one day apart; the day's number follows.
    package static let visitorsPrefix = "visitors-"
}

/// Why keys are not the ones that a database was sealed with.
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
    /// Names of secrets that hold proofs begin with it; a key's id follows.
    package static let proofPrefix = "metadata-key."

    package static func proofName(_ id: MetadataKey.ID) -> String { proofPrefix + id.text }

    /// Compares the keys with what a database keeps of those that it was sealed with. Nil where all are there.
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
    /// Checks the keys against the database, leaves a proof of the first one, and uses them from now on. Where they are
    /// not the right ones nothing is changed.
    package func use(_ keys: MetadataKeys) async throws(StoreError) -> MetadataKeyProblem? {
        if let problem = keys.problem(with: try await secrets(prefix: MetadataKeys.proofPrefix)) { return problem }
        if let first = keys.keys.first {
            // Of two servers that start at once with different keys of one id, one finds the other's proof here.
            let proof = try await secret(MetadataKeys.proofName(first.id)) { first.makeProof() }
            guard first.recognises(proof) else { return .different(first.id) }
        }
        metadataKeys.use(keys)
        return nil
    }
}
