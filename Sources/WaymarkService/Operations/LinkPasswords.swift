package import WaymarkLinks
package import WaymarkStores

/// Hashes and checks the passwords of links. Both cost much by design, so a few run at a time, on threads of their own.
package struct LinkPasswords: Sendable {
    private let dependencies: ServiceDependencies
    private let work = BoundedWork("waymark.passwords", limit: 2, mostWaiting: 64)

    init(_ dependencies: ServiceDependencies) { self.dependencies = dependencies }

    /// - Parameter password: one that a link may have (`LinkPassword.problem`).
    package func hash(_ password: String) async throws(StoreError) -> LinkPassword {
        let salt = dependencies.randomBytes(LinkPassword.saltCount)
        return LinkPassword(salt: salt, key: try await key(of: password, salt, .usual))
    }

    package func isRight(_ given: String, for password: LinkPassword) async throws(StoreError) -> Bool {
        guard LinkPassword.problem(of: given) == nil else { return false }
        guard let parts = password.parts else { throw .corrupt("the password of a link is damaged") }
        return password.isOf(try await key(of: given, parts.salt, parts.parameters))
    }

    private func key(
        of password: String, _ salt: [UInt8], _ parameters: LinkPassword.Parameters
    ) async throws(StoreError) -> [UInt8] {
        let derive = dependencies.derivePasswordKey
        let bytes = LinkPassword.bytes(of: password)
        guard let derived = await work.run({ derive(bytes, salt, parameters) }) else {
            throw .unavailable("too many passwords are checked at the moment; try again in some seconds")
        }
        guard let key = derived else { throw .unavailable("this server can't hash passwords") }
        return key
    }
}

extension LinkService {
    /// The links with their passwords hashed.
    func withHashedPasswords(_ creations: [NewLink]) async throws(StoreError) -> [NewLink] {
        guard creations.contains(where: { $0.password != nil }) else { return creations }
        var hashed = creations
        for index in hashed.indices {
            guard let password = hashed[index].password else { continue }
            hashed[index].content.password = try await passwords.hash(password)
            hashed[index].password = nil
        }
        return hashed
    }
}
