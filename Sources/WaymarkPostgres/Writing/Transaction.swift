#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    /// One transaction on a connection, with its deadline.
    final class Transaction {
        let connection: Connection
        private var deadline: Deadline
        /// Whether COMMIT was sent: from then on a lost connection leaves the outcome unknown.
        private(set) var isCommitting = false
        private var changes: [StoreChange] = []
        /// The call whose changes these are; nil if no call makes them.
        var auditCall: AuditCall?
        private let origin: ChangeNotice.Origin

        init(_ connection: Connection, origin: ChangeNotice.Origin, by deadline: Deadline) {
            self.connection = connection
            self.origin = origin
            self.deadline = deadline
        }

        /// Allows the rest of the transaction as long as a migration may take: for work that grows with the number of links.
        func extendDeadline() { deadline = .after(milliseconds: TimeLimit.migration) }

        func exchange(_ commands: [Connection.Command]) throws(PostgresFailure) -> [QueryResult] {
            try connection.exchange(commands, by: deadline)
        }

        func run(_ statement: Statement, _ arguments: Argument...) throws(PostgresFailure) -> QueryResult {
            var command = Connection.Command(statement)
            command.arguments = arguments
            return try connection.run(command, by: deadline)
        }

        /// Runs a statement that is too rare to be prepared.
        func run(sql: String, _ arguments: Argument...) throws(PostgresFailure) -> QueryResult {
            try run(sql: sql, arguments: arguments)
        }

        func run(sql: String, arguments: [Argument]) throws(PostgresFailure) -> QueryResult {
            var command = Connection.Command(sql: sql)
            command.arguments = arguments
            return try connection.run(command, by: deadline)
        }

        /// Notifies other servers on commit.
        func note(_ change: StoreChange) { changes.append(change) }

        /// The last round trip: the remaining changes, and the COMMIT, which does not run if one of them fails.
        func commit(_ commands: [Connection.Command] = []) throws(PostgresFailure) {
            var commands = commands
            let payloads = ChangeNotice.payloads(of: changes, from: origin)
            if !payloads.isEmpty { commands.append(.init(.notify, .texts(payloads))) }
            commands.append(.init(.commit))
            isCommitting = true
            _ = try exchange(commands)
        }

        /// Called after a failure. If the rollback fails too, the connection is closed, which also ends the
        /// transaction.
        func rollback() {
            guard connection.isOpen else { return }
            do {
                _ = try connection.run(.init(.rollback), by: deadline)
            } catch {
                connection.close()
            }
        }
    }

    /// An application that this transaction has locked.
    struct LockedApplication {
        var number: Int64
        var version: Int
        var slugRules: SlugRules
    }

    extension Transaction {
        func put(
            _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
            check: (ApplicationUse) -> Bool
        ) throws -> PutOutcome {
            let current = try lock(application.id)
            if let expecting, (current?.version ?? 0) != expecting {
                return .versionMismatch(current: current?.version)
            }
            if let (host, owner) = try owner(ofOneOf: application) { return .hostTaken(host, by: owner) }
            if let claim, try isTaken(claim, besides: application.id) { return .credentialTaken }
            let use = try ApplicationUse(run(.use, .text(application.id.text)))
            guard check(use) else { return .inUse(use) }
            if let current, let clash = try replaceSlugRules(of: current, by: application.slugRules, refusing: true) {
                return .slugsClash(clash)
            }
            let before = try document(of: application.id)
            try audit(application, before: before)
            var stored = application
            stored.version = (current?.version ?? 0) + 1
            let saved = try run(
                .saveApplication, .text(stored.id.text), .bytes(stored.document), .number(Int64(stored.version)))
            try addChange(stored, of: saved.number(0, 0), replacing: before)
            let number = Argument.number(try saved.number(0, 0))
            note(.applications)
            try commit([
                .init(.saveSlugRules, number, .number(Int64(stored.slugRules.rawValue))),
                .init(.removeDomains, number),
                .init(.addDomains, .texts(stored.domains.map(\.text)), number),
                .init(.removeOtherHosts, number),
                .init(.addOtherHosts, .texts(stored.otherHosts.map(\.text)), number),
                // No other transaction counts now: a good time to sum up the shards.
                .init(.gatherUse, number),
            ])
            return current == nil ? .created(stored) : .replaced(stored)
        }

        func setDerivedParts(of application: StoredApplication) throws {
            guard let current = try lock(application.id), current.version == application.version else { return }
            _ = try replaceSlugRules(of: current, by: application.slugRules, refusing: false)
            let number = Argument.number(current.number)
            try commit([
                .init(.saveSlugRules, number, .number(Int64(application.slugRules.rawValue))),
                .init(.removeOtherHosts, number),
                .init(.addOtherHosts, .texts(application.otherHosts.map(\.text)), number),
            ])
        }

        func deleteApplication(_ id: ApplicationID, expecting: Int?) throws -> DeleteApplicationOutcome {
            guard let current = try lock(id) else { return .unknown }
            if let expecting, current.version != expecting { return .versionMismatch(current: current.version) }
            let links = try ApplicationUse(run(.use, .text(id.text))).links
            guard links == 0 else { return .inUse(links: links) }
            try audit(deleted: id, before: auditedApplication(id))
            let longLinks = try run(.longLinks, .number(current.number))
            let numbers = try (0..<longLinks.count).map { LinkID(rawValue: try longLinks.number($0, 1)) }
            note(.applications)
            // Its memberships go with it.
            note(.keys)
            try commit(
                [
                    .init(.removeUse, .number(current.number)), .init(.removeApplication, .number(current.number)),
                    .init(.dropSummariesOfApplications),
                ] + (numbers.isEmpty ? [] : [.init(ClickNote(deletedLinks: numbers))]))
            return .deleted
        }

        /// Locks out other changes of applications, and other creations, changes and deletions of this application's
        /// links; then reads it.
        private func lock(_ id: ApplicationID) throws -> LockedApplication? {
            _ = try run(.lock, .number(LockKey.registry))
            let found = try run(.application, .text(id.text))
            guard found.count > 0 else { return nil }
            let number = try found.number(0, 0)
            _ = try run(.lock, .number(LockKey.application(number)))
            return LockedApplication(
                number: number, version: try found.count(0, 1), slugRules: SlugRules(rawValue: try found.count(0, 2)))
        }

        /// Whether a key or another application has one of the credentials. The registry is locked.
        private func isTaken(_ claim: CredentialClaim, besides id: ApplicationID) throws -> Bool {
            for digest in claim.digests where try !keys(digest: digest).isEmpty { return true }
            return try storedApplications().contains { $0.id != id && claim.isHeld($0) }
        }

        private func owner(ofOneOf application: StoredApplication) throws -> (HostName, ApplicationID)? {
            let hosts = application.domains + application.otherHosts
            let found = try run(.hostOwners, .texts(hosts.map(\.text)), .text(application.id.text))
            var owners: [String: ApplicationID] = [:]
            for row in 0..<found.count { owners[try found.text(row, 0)] = ApplicationID(try found.text(row, 1)) }
            for host in hosts {
                if let owner = owners[host.text] { return (host, owner) }
            }
            return nil
        }
    }

    extension ApplicationUse {
        /// Decodes the rows of `Statement.use`.
        init(_ result: QueryResult) throws {
            self.init()
            for row in 0..<result.count {
                let name = String(decoding: try result.bytes(row, 1), as: UTF8.self)
                guard add(try result.number(row, 0), name, try result.count(row, 2)) else { throw QueryResult.damaged }
            }
        }
    }
#endif
