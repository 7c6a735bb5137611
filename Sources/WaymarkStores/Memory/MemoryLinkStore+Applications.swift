package import WaymarkLinks

extension MemoryLinkStore {
    package func applications() async throws(StoreError) -> [StoredApplication] {
        try withState { state in state.applications.values.sorted { $0.id.text < $1.id.text } }
    }

    package func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: @escaping @Sendable (ApplicationUse) -> Bool
    ) async throws(StoreError) -> PutOutcome {
        try withState { state in
            let current = state.applications[application.id]
            if let expecting, (current?.version ?? 0) != expecting {
                return .versionMismatch(current: current?.version)
            }
            for host in application.domains + application.otherHosts {
                let owner = state.applications.values.first {
                    $0.id != application.id && ($0.domains.contains(host) || $0.otherHosts.contains(host))
                }
                if let owner { return .hostTaken(host, by: owner.id) }
            }
            if let claim {
                let isTaken =
                    state.keys.values.contains { claim.digests.contains($0.digest) }
                    || state.applications.values.contains { $0.id != application.id && claim.isHeld($0) }
                if isTaken { return .credentialTaken }
            }
            let use = state.use(of: application.id)
            guard check(use) else { return .inUse(use) }
            if let clash = state.clash(of: application.id, with: application.slugRules) { return .slugsClash(clash) }
            var stored = application
            stored.version = (current?.version ?? 0) + 1
            stored.longLinks = current?.longLinks ?? [:]
            state.applications[application.id] = stored
            return current == nil ? .created(stored) : .replaced(stored)
        }
    }

    package func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
        try withState { state in
            guard state.applications[application.id]?.version == application.version else { return }
            state.applications[application.id]?.otherHosts = application.otherHosts
            state.applications[application.id]?.slugRules = application.slugRules
        }
    }

    package func deleteApplication(
        _ id: ApplicationID, expecting: Int?
    ) async throws(StoreError) -> DeleteApplicationOutcome {
        try withState { state in
            guard let current = state.applications[id] else { return .unknown }
            if let expecting, current.version != expecting { return .versionMismatch(current: current.version) }
            let links = state.use(of: id).links
            guard links == 0 else { return .inUse(links: links) }
            state.applications[id] = nil
            for number in current.longLinks.values { state.clickBlocks[number] = nil }
            state.routes[id] = nil
            state.clickTotals[id] = nil
            state.unknownVisits[id] = nil
            state.linkDeletions[id] = nil
            state.summaries = state.summaries.filter { $0.key.span != ClickSummaryKey.applications }
            return .deleted
        }
    }

    package func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
        try withState { $0.use(of: id) }
    }

    package func register(
        _ route: RegisteredRoute, of id: ApplicationID, limit: Int
    ) async throws(StoreError) -> RouteRegistration {
        try withState { state in
            guard state.applications[id] != nil else { return .applicationUnknown }
            let known = state.routes[id] ?? [:]
            let isKnown = known[route.path.text] != nil
            guard isKnown || known.count < limit else { return .full }
            state.routes[id, default: [:]][route.path.text] = route
            return isKnown ? .replaced : .registered
        }
    }

    package func registeredRoutes(of id: ApplicationID) async throws(StoreError) -> [RegisteredRoute] {
        try withState { state in (state.routes[id] ?? [:]).values.sorted { $0.path.text < $1.path.text } }
    }

    package func keys() async throws(StoreError) -> [StoredKey] {
        try withState { state in
            state.keys.values.sorted { ($0.createdAt, $0.id) < ($1.createdAt, $1.id) }
        }
    }

    package func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
        try withState { state in state.keys.values.first { $0.digest == digest } }
    }

    @discardableResult
    package func insert(
        _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
    ) async throws(StoreError) -> Bool {
        try withState { state in
            if let claim, state.applications.values.contains(where: claim.isHeld) { return false }
            guard !state.keys.values.contains(where: { $0.digest == key.digest && $0.id != key.id }) else {
                return false
            }
            state.keys[key.id] = key
            if let event { state.publish(event) }
            return true
        }
    }

    package func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
        try withState { state in
            for (id, time) in uses {
                guard let known = state.keys[id] else { continue }
                state.keys[id]?.lastUsedAt = max(time, known.lastUsedAt ?? time)
            }
        }
    }

    package func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
        try withState { state in
            guard state.keys.removeValue(forKey: id) != nil else { return false }
            if let event { state.publish(event) }
            return true
        }
    }

    package func secret(
        _ name: String, make: @escaping @Sendable () -> [UInt8]
    ) async throws(StoreError) -> [UInt8] {
        try withState { state in
            if let value = state.secrets[name] { return value }
            let value = make()
            state.secrets[name] = value
            return value
        }
    }

    package func forgetSecrets(_ names: Range<String>) async throws(StoreError) {
        try withState { $0.secrets = $0.secrets.filter { !names.contains($0.key) } }
    }
}
