package import WaymarkLinks
package import WaymarkStores

/// Hashes and checks the passwords of links. Both cost much by design, so a few run at a time, on threads of their own.
package struct LinkPasswords: Sendable {
    private let dependencies: ServiceDependencies
    private let work = BoundedWork<Client>("waymark.passwords", limit: 2, mostWaiting: 64)

    /// Whose passwords wait for a turn together.
    package enum Client: Sendable, Hashable {
        /// Those who make links, whose calls are limited otherwise.
        case writers
        /// By address; IPv6 addresses of one /64 are one client.
        case visitor(high: UInt64, low: UInt64)
    }

    init(_ dependencies: ServiceDependencies) { self.dependencies = dependencies }

    /// - Parameter password: one that a link may have (`LinkPassword.problem`).
    package func hash(_ password: String) async throws(StoreError) -> LinkPassword {
        let salt = dependencies.randomBytes(LinkPassword.saltCount)
        return LinkPassword(salt: salt, key: try await key(of: password, salt, .usual, for: .writers))
    }

    package func isRight(
        _ given: String, for password: LinkPassword, from client: Client
    ) async throws(StoreError) -> Bool {
        guard LinkPassword.problem(of: given) == nil else { return false }
        guard let parts = password.parts else { throw .corrupt("the password of a link is damaged") }
        return password.isOf(try await key(of: given, parts.salt, parts.parameters, for: client))
    }

    private func key(
        of password: String, _ salt: [UInt8], _ parameters: LinkPassword.Parameters, for client: Client
    ) async throws(StoreError) -> [UInt8] {
        let derive = dependencies.derivePasswordKey
        let bytes = LinkPassword.bytes(of: password)
        guard let derived = await work.run(for: client, { derive(bytes, salt, parameters) }) else {
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
