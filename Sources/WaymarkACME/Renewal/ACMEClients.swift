/// One client for each authority, made when it is first needed.
actor ACMEClients {
    private let contacts: [String]
    private let storage: any CertificateStorage
    private let environment: ACMEClient.Environment
    /// So that hosts that need the same account at the same time wait for one registration.
    private var tasks: [String: Task<Result<ACMEClient, ACMEError>, Never>] = [:]
    /// Failures that hold for the other hosts, too, until a moment in seconds since 1970.
    private var failures: [String: (error: ACMEError, until: Int64)] = [:]
    /// Seconds for which an authority is not asked again for any host: less than the first pause of a host.
    private static let pause = 45

    init(contacts: [String], storage: any CertificateStorage, environment: ACMEClient.Environment) {
        self.contacts = contacts
        self.storage = storage
        self.environment = environment
    }

    /// A client whose account exists.
    func client(_ authority: ACMEAuthority) async throws(ACMEError) -> ACMEClient {
        if let task = tasks[authority.digest] { return try await task.value.get() }
        if let failure = failures[authority.digest] {
            if failure.until > environment.now() {
                var error = failure.error
                error.isRemembered = true
                throw error
            }
            failures[authority.digest] = nil
        }
        let registration = registration(authority, environment)
        let task = Task { await Self.result(registration) }
        tasks[authority.digest] = task
        let result = await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        if case .failure(let error) = result {
            // `forgetAccount` may have made room for another task in the meantime.
            if tasks[authority.digest] == task { tasks[authority.digest] = nil }
            if error.kind != .interrupted {
                let pause = max(Self.pause, error.retryAfter ?? 0)
                failures[authority.digest] = (error, environment.now() + Int64(pause))
            }
        }
        return try result.get()
    }

    /// Lets authorities be asked again, except those that demanded a pause.
    func forgetFailures() {
        failures = failures.filter { $0.value.error.retryAfter != nil }
    }

    /// Lets the account be registered again.
    func forgetAccount(_ authority: ACMEAuthority) async throws(ACMEError) {
        tasks[authority.digest] = nil
        try await registration(authority, environment).forgetURL()
    }

    /// Runs without the lease, even while another server orders.
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
