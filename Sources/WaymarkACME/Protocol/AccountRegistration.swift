import WaymarkClient
import WaymarkJSON
import WaymarkTLS

/// Finds or makes the account at an authority. All servers with the same documents share one.
struct AccountRegistration: Sendable {
    let authority: ACMEAuthority
    /// URLs such as `mailto:operator@example.com`.
    let contacts: [String]
    let storage: any CertificateStorage
    let environment: ACMEClient.Environment

    private var name: String { "account/\(authority.digest)" }

    /// A client whose account exists.
    func client() async throws(ACMEError) -> ACMEClient {
        let stored = try await storedAccount()
        let client = ACMEClient(
            authority, key: stored.account.key, account: stored.account.url, environment: environment)
        var account = stored.account
        if account.url == nil {
            account.url = try await register(client)
        } else if account.contacts != contacts {
            try await changeContacts(client)
        } else {
            return client
        }
        account.contacts = contacts
        client.account = account.url
        // If another server was faster it has registered the same key, hence the same account.
        _ = try await write(account, ifVersion: stored.version)
        return client
    }

    /// Lets the next `client()` register the key again, after the authority has lost the account.
    func forgetURL() async throws(ACMEError) {
        let stored = try await storedAccount()
        var account = stored.account
        account.url = nil
        _ = try await write(account, ifVersion: stored.version)
    }

    /// The account's document. A new key is written before the authority sees it, so that an account is never lost.
    private func storedAccount() async throws(ACMEError) -> (account: StoredAccount, version: Int) {
        for _ in 0..<3 {
            if let document = try await read() {
                guard let account = StoredAccount(document.content) else {
                    throw ACMEError(.storage, "the document \(name) can't be read; remove it to make a new account")
                }
                return (account, document.version)
            }
            _ = try await write(
                StoredAccount(directory: authority.directory, key: .generate(), url: nil, contacts: []), ifVersion: nil)
        }
        throw ACMEError(.storage, "the document \(name) can't be written")
    }

    private func register(_ client: ACMEClient) async throws(ACMEError) -> String {
        let directory = try await client.directory()
        guard !directory.requiresExternalAccount || authority.externalAccount != nil else {
            throw ACMEError(
                .refused(type: "externalAccountRequired"),
                "the authority requires an external account; set its key ID and MAC key")
        }
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("termsOfServiceAgreed", true)
        write(contacts, to: &writer)
        if let external = authority.externalAccount {
            writer.member(
                "externalAccountBinding",
                raw: JSONWebSignature.binding(external, to: client.key, url: directory.newAccount))
        }
        writer.endObject()
        let response = try await client.post(directory.newAccount, writer.bytes, identity: .key)
        return try client.rule.checked(response["Location"], "the account's URL")
    }

    private func changeContacts(_ client: ACMEClient) async throws(ACMEError) {
        guard let url = client.account else { return }
        var writer = JSONWriter()
        writer.beginObject()
        write(contacts, to: &writer)
        writer.endObject()
        _ = try await client.post(url, writer.bytes)
    }

    private func write(_ contacts: [String], to writer: inout JSONWriter) {
        writer.name("contact")
        writer.beginArray()
        for contact in contacts { writer.string(contact) }
        writer.endArray()
    }

    private func read() async throws(ACMEError) -> CertificateDocument? {
        do throws(CertificateStorageError) {
            return try await storage.document(name)
        } catch {
            throw ACMEError(error)
        }
    }

    private func write(_ account: StoredAccount, ifVersion version: Int?) async throws(ACMEError) -> Bool {
        do throws(CertificateStorageError) {
            return try await storage.write(name, account.json, ifVersion: version)
        } catch {
            throw ACMEError(error)
        }
    }
}
