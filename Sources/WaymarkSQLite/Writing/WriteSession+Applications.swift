internal import GRDB
internal import WaymarkLinks
internal import WaymarkStores

extension WriteSession {
    func put(
        _ application: StoredApplication, expecting: Int?, claiming claim: CredentialClaim?,
        check: (ApplicationUse) -> Bool
    ) throws -> PutOutcome {
        let found = try database.row("SELECT version, number FROM application WHERE name = ?", [application.id.text]) {
            (version: try $0.count(0), number: try $0.number(1))
        }
        let current = found?.version
        if let expecting, (current ?? 0) != expecting { return .versionMismatch(current: current) }
        for host in application.domains + application.otherHosts {
            let owner = try database.row(
                """
                SELECT application.name FROM (
                    SELECT application FROM application_domain WHERE domain = ?
                    UNION ALL SELECT application FROM application_host WHERE host = ?
                ) AS claim JOIN application ON application.number = claim.application
                WHERE application.name <> ? LIMIT 1
                """, [host.text, host.text, application.id.text]
            ) { ApplicationID(try $0.text(0)) }
            if let owner = owner ?? nil { return .hostTaken(host, by: owner) }
        }
        if let claim {
            let isTaken =
                try claim.digests.contains { try !keys(digest: $0).isEmpty }
                || storedApplications().contains { $0.id != application.id && claim.isHeld($0) }
            if isTaken { return .credentialTaken }
        }
        let use = try use(of: application.id)
        guard check(use) else { return .inUse(use) }
        if let found,
            let clash = try replaceSlugRules(of: found.number, by: application.slugRules, refusing: true)
        {
            return .slugsClash(clash)
        }
        let before = try document(of: application.id)
        var stored = application
        stored.version = (current ?? 0) + 1
        let number = try write(stored)
        try addChange(stored, of: number, replacing: before)
        if found == nil { _ = try replaceSlugRules(of: number, by: application.slugRules, refusing: true) }
        try audit(stored, before: before)
        return current == nil ? .created(stored) : .replaced(stored)
    }

    /// Writes an application without its slug rules; returns its number.
    @discardableResult
    func write(_ stored: StoredApplication) throws -> Int64 {
        let number = try database.row(
            """
            INSERT INTO application (name, document, version) VALUES (?, ?, ?)
            ON CONFLICT (name) DO UPDATE SET document = excluded.document, version = excluded.version
            RETURNING number
            """, [stored.id.text, stored.document.blob, stored.version]
        ) { try $0.number(0) }
        guard let number else { throw Row.damaged }
        try database.run("DELETE FROM application_domain WHERE application = ?", [number])
        for (index, domain) in stored.domains.enumerated() {
            try database.run(
                "INSERT OR IGNORE INTO application_domain (domain, application, place) VALUES (?, ?, ?)",
                [domain.text, number, index])
        }
        try replaceOtherHosts(stored.otherHosts, of: number)
        forget()
        return number
    }

    func setDerivedParts(of application: StoredApplication) throws {
        let number = try database.row(
            "SELECT number FROM application WHERE name = ? AND version = ?", [application.id.text, application.version]
        ) { try $0.number(0) }
        guard let number else { return }
        try replaceOtherHosts(application.otherHosts, of: number)
        _ = try replaceSlugRules(of: number, by: application.slugRules, refusing: false)
    }

    private func replaceOtherHosts(_ hosts: [HostName], of application: Int64) throws {
        try database.run("DELETE FROM application_host WHERE application = ?", [application])
        for host in hosts {
            try database.run(
                "INSERT OR IGNORE INTO application_host (application, host) VALUES (?, ?)", [application, host.text])
        }
    }

    func deleteApplication(_ id: ApplicationID, expecting: Int?) throws -> DeleteApplicationOutcome {
        let current = try database.row("SELECT version FROM application WHERE name = ?", [id.text]) {
            try $0.count(0)
        }
        guard let current else { return .unknown }
        if let expecting, current != expecting { return .versionMismatch(current: current) }
        let links = try use(of: id).links
        guard links == 0 else { return .inUse(links: links) }
        try audit(deleted: id, before: auditedApplication(id))
        let longLinks = try database.rows(
            """
            SELECT long_link.number FROM long_link JOIN application ON application.number = long_link.application
            WHERE application.name = ?
            """, [id.text]
        ) { LinkID(rawValue: try $0.number(0)) }
        for link in longLinks { try noteDeletion(ofClicksOf: link) }
        try database.run("DELETE FROM application WHERE name = ?", [id.text])
        try database.run("DELETE FROM click_summary WHERE span = ?", [ClickSummaryKey.applications])
        forget()
        return .deleted
    }

    /// The use, including this transaction's own changes.
    private func use(of id: ApplicationID) throws -> ApplicationUse {
        try finish()
        return try database.use(of: id)
    }
}

extension Database {
    func use(of id: ApplicationID) throws -> ApplicationUse {
        var use = ApplicationUse()
        let counted = try rows(
            """
            SELECT kind, application_use.name, links FROM application_use
                JOIN application ON application.number = application_use.application
            WHERE application.name = ? AND kind < 4
            """, [id.text]
        ) { (try $0.number(0), try $0.text(1), try $0.count(2)) }
        for (kind, name, links) in counted where !use.add(kind, name, links) { throw Row.damaged }
        return use
    }
}
