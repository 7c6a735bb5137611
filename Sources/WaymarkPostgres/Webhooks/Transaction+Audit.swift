#if PostgreSQL
    internal import WaymarkLinks
    internal import WaymarkStores

    extension Transaction {
        func add(_ entry: AuditEntry) throws {
            _ = try exchange([.init([entry])])
            try publish([entry.event])
        }
    }

    extension WorkingSet {
        mutating func add(_ entry: AuditEntry) {
            entries.append(entry)
            if subscriptions.includes(.auditRecorded, of: entry.application) { outbox.append(entry.event) }
        }
    }

    extension Connection.Command {
        /// Adds to the audit.
        init(_ entries: [AuditEntry]) {
            self.init(.addAudit)
            arguments = [
                .numbers(entries.map(\.at.rawValue)),
                .byteStrings(entries.map { $0.application.map { Array($0.text.utf8) } }),
                .byteStrings(entries.map { $0.person.map { Array($0.utf8) } }),
                .byteStrings(entries.map { $0.key.map { Array($0.utf8) } }),
                .texts(entries.map(\.action)), .byteStrings(entries.map(\.json)),
            ]
        }
    }
#endif
