#if PostgreSQL
    package import WaymarkStores
    package import WaymarkLinks

    extension PostgresLinkStore {
        package func applications() async throws(StoreError) -> [StoredApplication] {
            try await read(as: .applications, .init(.applications)) { try StoredApplication.all(of: $0) }
        }

        package func use(of id: ApplicationID) async throws(StoreError) -> ApplicationUse {
            try await read(as: .applicationUse, .init(.use, .text(id.text))) { try ApplicationUse($0) }
        }

        package func put(
            _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
            check: @escaping @Sendable (ApplicationUse) -> Bool
        ) async throws(StoreError) -> PutOutcome {
            try await admit { application.need }
            return try await writeAlone(as: .putApplication) {
                try $0.put(application, expecting: expecting, claiming: claim, check: check)
            }
        }

        package func setDerivedParts(of application: StoredApplication) async throws(StoreError) {
            try await writeAlone(as: .setDerivedParts) { try $0.setDerivedParts(of: application) }
        }

        package func deleteApplication(
            _ id: ApplicationID, expecting: Int?
        ) async throws(StoreError) -> DeleteApplicationOutcome {
            try await writeAlone(as: .deleteApplication) { try $0.deleteApplication(id, expecting: expecting) }
        }

        package func keys() async throws(StoreError) -> [StoredKey] {
            try await read(as: .keys, .init(.keys)) { result in
                try (0..<result.count).map { try StoredKey(result, $0) }
            }
        }

        package func key(digest: [UInt8]) async throws(StoreError) -> StoredKey? {
            try await read(as: .keys, .init(.keyByDigest, .bytes(digest))) { result in
                result.count > 0 ? try StoredKey(result, 0) : nil
            }
        }

        @discardableResult
        package func insert(
            _ key: StoredKey, claiming claim: CredentialClaim?, reporting event: OutboxEvent?
        ) async throws(StoreError) -> Bool {
            try await admit { key.scopes.compactMap(\.need).highest }
            return try await writeAlone(as: .insertKey) { transaction in
                // Serializes two insertions of the same digest, and changes of applications that claim it.
                _ = try transaction.run(.lock, .number(LockKey.registry))
                if let claim {
                    let applications = try StoredApplication.all(of: transaction.run(.applications))
                    if applications.contains(where: claim.isHeld) { return false }
                }
                let others = try transaction.run(.keyByDigest, .bytes(key.digest))
                for row in 0..<others.count where try StoredKey(others, row).id != key.id { return false }
                var command = Connection.Command(.saveKey)
                command.arguments = key.arguments
                _ = try transaction.exchange([command])
                if let event { try transaction.publish([event]) }
                transaction.note(.keys)
                return true
            }
        }

        package func noteKeyUses(_ uses: [String: Timestamp]) async throws(StoreError) {
            // Sorted, so that two servers lock the rows in the same order.
            let uses = uses.sorted { $0.key < $1.key }
            try await writeAlone(as: .noteKeyUses) { transaction in
                _ = try transaction.run(
                    .noteKeyUses, .byteStrings(uses.map { Array($0.key.utf8) }), .numbers(uses.map(\.value.rawValue)))
            }
        }

        package func deleteKey(_ id: String, reporting event: OutboxEvent?) async throws(StoreError) -> Bool {
            try await writeAlone(as: .deleteKey) { transaction in
                guard try transaction.run(.removeKey, .bytes(Array(id.utf8))).changed > 0 else { return false }
                if let event { try transaction.publish([event]) }
                transaction.note(.keys)
                return true
            }
        }
    }

    extension StoredApplication {
        /// Decodes the rows of `Statement.applications`: one for each domain.
        static func all(of result: QueryResult) throws -> [StoredApplication] {
            var applications: [StoredApplication] = []
            for row in 0..<result.count {
                guard let id = ApplicationID(try result.text(row, 0)) else { throw QueryResult.damaged }
                if applications.last?.id != id {
                    guard let others = HostName.list(try result.optionalText(row, 4)),
                        let longLinks = StoredApplication.longLinks(try result.optionalText(row, 6))
                    else { throw QueryResult.damaged }
                    var application = StoredApplication(
                        id: id, domains: [], otherHosts: others, document: try result.bytes(row, 1),
                        version: try result.count(row, 2), slugRules: SlugRules(rawValue: try result.count(row, 5)))
                    application.longLinks = longLinks
                    applications.append(application)
                }
                guard let name = try result.optionalText(row, 3) else { continue }
                guard let domain = HostName(name) else { throw QueryResult.damaged }
                applications[applications.count - 1].domains.append(domain)
            }
            return applications
        }
    }

    extension StoredKey {
        init(_ result: QueryResult, _ row: Int) throws {
            var application: ApplicationID?
            if let name = try result.optionalText(row, 3) {
                guard let id = ApplicationID(name) else { throw QueryResult.damaged }
                application = id
            }
            self.init(
                id: String(decoding: try result.bytes(row, 0), as: UTF8.self),
                name: String(decoding: try result.bytes(row, 1), as: UTF8.self), digest: try result.bytes(row, 2),
                application: application, scopes: KeyScope.known(in: try result.text(row, 4)),
                createdAt: try result.timestamp(row, 5),
                expiresAt: try result.optionalNumber(row, 6).map { Timestamp(rawValue: $0) },
                lastUsedAt: try result.optionalNumber(row, 7).map { Timestamp(rawValue: $0) },
                platform: try result.platform(row, 8))
        }

        /// The arguments of `Statement.saveKey`.
        var arguments: [Argument] {
            let names = KeyScope.allCases.filter(scopes.contains).map(\.rawValue).joined(separator: " ")
            return [
                .bytes(Array(id.utf8)), .bytes(Array(name.utf8)), .bytes(digest),
                application.map { .text($0.text) } ?? .null, .text(names), .number(createdAt.rawValue),
                expiresAt.map { .number($0.rawValue) } ?? .null, lastUsedAt.map { .number($0.rawValue) } ?? .null,
                platform.map { .text($0.rawValue) } ?? .null,
            ]
        }
    }

    extension QueryResult {
        func platform(_ row: Int, _ column: Int) throws -> Platform? {
            guard let name = try optionalText(row, column) else { return nil }
            guard let platform = Platform(rawValue: name) else { throw QueryResult.damaged }
            return platform
        }
    }
#endif
