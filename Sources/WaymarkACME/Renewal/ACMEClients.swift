/// One client for each authority, made when it is first needed.
actor ACMEClients {
    private let contacts: [String]
    private let storage: any CertificateStorage
    private let environment: ACMEClient.Environment
    /// So that hosts that need the same account at the same time wait for one registration.
    private var tasks: [String: Task<Result<ACMEClient, ACMEError>, Never>] = [:]

    init(contacts: [String], storage: any CertificateStorage, environment: ACMEClient.Environment) {
        self.contacts = contacts
        self.storage = storage
        self.environment = environment
    }

    /// A client whose account exists.
    func client(_ authority: ACMEAuthority) async throws(ACMEError) -> ACMEClient {
        if let task = tasks[authority.digest] { return try await task.value.get() }
        let registration = registration(authority, environment)
        let task = Task { await Self.result(registration) }
        tasks[authority.digest] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure = result { tasks[authority.digest] = nil }
        return try result.get()
    }

    /// Lets the account be registered again.
    func forgetAccount(_ authority: ACMEAuthority) async throws(ACMEError) {
        tasks[authority.digest] = nil
        try await registration(authority, environment).forgetURL()
    }

    /// Work that may be done beside a server that orders.
    func withoutLease(
        _ authority: ACMEAuthority, _ work: @Sendable (ACMEClient) async throws(ACMEError) -> Void
    ) async -> Result<Void, ACMEError> {
        var environment = environment
        environment.proceed = { () async throws(ACMEError) in }
        do throws(ACMEError) {
            try await work(try await registration(authority, environment).client())
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    private func registration(
        _ authority: ACMEAuthority, _ environment: ACMEClient.Environment
    ) -> AccountRegistration {
        AccountRegistration(authority: authority, contacts: contacts, storage: storage, environment: environment)
    }

    private static func result(_ registration: AccountRegistration) async -> Result<ACMEClient, ACMEError> {
        do throws(ACMEError) {
            return .success(try await registration.client())
        } catch {
            return .failure(error)
        }
    }
}
