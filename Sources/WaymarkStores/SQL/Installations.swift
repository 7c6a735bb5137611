package import WaymarkLinks

extension SQLStore {
    package func forget(installation digest: [UInt8], of id: ApplicationID) async throws(StoreError) {
        let own = SQLValue.bytes(digest)
        // A click that belongs to nobody can't be claimed.
        let nothing = SQLValue.bytes(ClaimRecord(match: nil).encoded)
        // Its claims have no index of installations, so they are looked for only if there are some, and before the
        // transaction, for which other writers wait.
        let known = SQLStatement("SELECT 1 FROM idempotency WHERE scope = $1 AND fingerprint = $1", own)
        let found = SQLStatement("SELECT scope FROM idempotency WHERE fingerprint = $1 AND kind = 3", own)
        while try await !read(as: .forgetInstallation, known, { try $0.number(0) }).isEmpty {
            // A claim that is made from now on replaces this.
            try await run(
                as: .forgetInstallation,
                SQLStatement("UPDATE idempotency SET answer = $2 WHERE scope = $1 AND fingerprint = $1", own, nothing))
            let claims = try await read(as: .forgetInstallation, found) { try $0.bytes(0) }
            let changes = claims.filter { $0 != digest }.map { scope in
                SQLStatement(
                    "UPDATE idempotency SET fingerprint = $1, answer = $2 WHERE scope = $1 AND fingerprint = $3",
                    .bytes(scope), nothing, own)
            }
            let isForgotten = try await transact(as: .forgetInstallation) { transaction in
                _ = try transaction.run(changes)
                let removal = SQLStatement(
                    "DELETE FROM idempotency WHERE scope = $1 AND fingerprint = $1 AND answer = $2", own, nothing)
                guard try transaction.run(removal) > 0 else { return false }
                try transaction.audit(.installationForgotten, AuditObject(.installation, nil), of: id)
                return true
            }
            if isForgotten { return }
        }
    }
}
