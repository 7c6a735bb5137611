import WaymarkAPI
import WaymarkLinks
package import WaymarkStores

extension ApplicationRegistry {
    /// Conflicts between the applications of a file, regardless of the store: a duplicate ID or host.
    package static func problems(inFile definitions: [ApplicationDefinition]) -> [String] {
        ApplicationFilePlan(definitions: definitions, stored: []).problems
    }

    /// Applies all applications of the file, which become the read-only ones, or none.
    ///
    /// Removes applications of an earlier file that are missing in this one; takes over applications with the same ID
    /// that were created through the API.
    package func apply(file definitions: [ApplicationDefinition]) async throws(StoreError) -> ApplicationFileOutcome {
        try await fileTurnstile.withTurn { () async throws(StoreError) in
            try await self.applyAlone(definitions)
        }
    }

    private func applyAlone(
        _ definitions: [ApplicationDefinition]
    ) async throws(StoreError) -> ApplicationFileOutcome {
        let before = try await store.applications()
        let plan = ApplicationFilePlan(definitions: definitions, stored: before)
        var problems = plan.problems
        for id in plan.dropped {
            let use = try await store.use(of: id)
            if use.links > 0 {
                problems.append("application \(id.text) is missing and has \(ApplicationLoss.links(use.links))")
            }
        }
        for definition in plan.changed where before.contains(where: { $0.id == definition.application.id }) {
            let use = try await store.use(of: definition.application.id)
            problems += ApplicationLoss(of: use, by: definition.application).sentences
                .map { "application \(definition.application.id.text): \($0)" }
        }
        guard problems.isEmpty else { return .refused(problems) }
        problems = try await carryOut(plan, before: before)
        if problems.isEmpty { try await removeUnusedDefault() }
        try await refresh()
        return problems.isEmpty ? .applied(changes: plan.dropped.count + plan.changed.count) : .refused(problems)
    }

    /// The plan was checked, so a rejection here means that a link or application was created meanwhile; then the
    /// changes are rolled back.
    private func carryOut(_ plan: ApplicationFilePlan, before: [StoredApplication]) async throws(StoreError)
        -> [String]
    {
        var touched: [ApplicationID] = []
        do {
            for id in plan.dropped {
                let outcome = try await store.deleteApplication(id, expecting: nil)
                if case .inUse(let links) = outcome {
                    await restore(touched, from: before)
                    return ["application \(id.text) is missing and has \(ApplicationLoss.links(links))"]
                }
                touched.append(id)
            }
            var waiting = plan.changed
            while !waiting.isEmpty {
                // A domain that moves to another application is only free once its old one was put.
                var blocked: [ApplicationDefinition] = []
                var problems: [String] = []
                for definition in waiting {
                    let refusal = try await putFromFile(definition)
                    if let refusal {
                        blocked.append(definition)
                        problems.append(refusal)
                    } else {
                        touched.append(definition.application.id)
                    }
                }
                if blocked.count == waiting.count {
                    await restore(touched, from: before)
                    return problems
                }
                waiting = blocked
            }
            return []
        } catch {
            await restore(touched, from: before)
            throw error
        }
    }

    /// Nil if it was put.
    private func putFromFile(_ definition: ApplicationDefinition) async throws(StoreError) -> String? {
        let name = definition.application.id.text
        let outcome = try await store.put(
            stored(definition, from: .file), expecting: nil,
            claiming: claim(to: definition.application.firebase?.apiKeys ?? []),
            check: { ApplicationLoss(of: $0, by: definition.application).isEmpty })
        switch outcome {
        case .created, .replaced: return nil
        case .hostTaken(let host, let owner):
            return "application \(name): host \(host.text) belongs to application \(owner.text)"
        case .credentialTaken:
            return
                "application \(name): one of firebase.apiKeys is an API key or another application's; revoke that key or name another"
        case .inUse(let use):
            let sentences = ApplicationLoss(of: use, by: definition.application).sentences
            return "application \(name): \(sentences.joined(separator: ", "))"
        case .slugsClash(let clash): return "application \(name): \(clash.sentence)"
        case .versionMismatch: return "application \(name) was changed at the same time"
        }
    }

    /// Best effort: if the store is unavailable, the next start applies the file again.
    private func restore(_ touched: [ApplicationID], from before: [StoredApplication]) async {
        for id in touched.reversed() {
            if var old = before.first(where: { $0.id == id }) {
                old.changedAt = now()
                _ = try? await store.put(old, expecting: nil, check: { _ in true })
            } else {
                _ = try? await store.deleteApplication(id, expecting: nil)
            }
        }
    }
}

/// The changes of applying a file, and the problems that don't depend on links.
struct ApplicationFilePlan: Sendable {
    let dropped: [ApplicationID]
    let changed: [ApplicationDefinition]
    let problems: [String]

    init(definitions: [ApplicationDefinition], stored: [StoredApplication]) {
        var problems: [String] = []
        var owners: [HostName: ApplicationID] = [:]
        var seen: Set<ApplicationID> = []
        for definition in definitions {
            let id = definition.application.id
            if !seen.insert(id).inserted { problems.append("application \(id.text) is there twice") }
            for host in definition.application.domains + definition.application.otherHosts {
                if let owner = owners[host], owner != id {
                    problems.append("application \(id.text): host \(host.text) belongs to application \(owner.text)")
                }
                owners[host] = id
            }
        }
        for (index, definition) in definitions.enumerated() {
            let keys = Set(definition.application.firebase?.apiKeys ?? [])
            for other in definitions[..<index]
            where !keys.isDisjoint(with: other.application.firebase?.apiKeys ?? []) {
                let ids = (definition.application.id.text, other.application.id.text)
                problems.append("application \(ids.0): firebase.apiKeys has a key of application \(ids.1)")
            }
        }
        let check = DestinationCheck(smartlinkHosts: SmartlinkHosts(definitions.lazy.map(\.application)))
        for definition in definitions {
            problems += definition.application.destinationProblems(check).map {
                "application \(definition.application.id.text): \($0.field) \($0.problem)"
            }
        }
        dropped = stored.filter { ApplicationRecord(stored: $0.document).isFromFile && !seen.contains($0.id) }
            .map(\.id)
        changed = definitions.filter { definition in
            let wanted = ApplicationRegistry.stored(definition, from: .file)
            return !stored.contains { $0.id == wanted.id && $0.document == wanted.document }
        }
        // Existing conflicts from before hosts were claimed must not keep a server from starting.
        let claiming = Set(changed.map(\.application.id))
        for other in stored where !seen.contains(other.id) && !dropped.contains(other.id) {
            for host in other.domains + other.otherHosts {
                guard let owner = owners[host], claiming.contains(owner) else { continue }
                problems.append("application \(owner.text): host \(host.text) belongs to application \(other.id.text)")
            }
        }
        self.problems = problems
    }
}
