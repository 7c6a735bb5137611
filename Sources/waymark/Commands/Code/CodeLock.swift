import WaymarkJSON

/// The server's lock, so that one program at a time applies files to a database. It is renewed as long as it is held,
/// however long a request takes.
actor CodeLock {
    /// The time, which tests set.
    struct Clock: Sendable {
        let elapsed: @Sendable () -> Duration
        let sleep: @Sendable (Duration) async throws -> Void

        static var continuous: Clock {
            let start = ContinuousClock.now
            return Clock(elapsed: { ContinuousClock.now - start }, sleep: { try await Task.sleep(for: $0) })
        }
    }

    /// A quarter of the time after which the server frees it.
    static let interval = Duration.seconds(5)
    private static let target = "/api/v1/links:lock"
    private static let lost = CommandFailure.failed("the lock was lost, so the apply stopped; run it again")

    private let api: any API
    private let owner: String
    private let clock: Clock
    private var token = ""
    private var renewedAt = Duration.zero
    private var isLost = false
    private var renewals: Task<Void, Never>?
    private var lastRequest: Task<Void, Never>?

    /// - Throws: `CommandFailure` if another holds it.
    init(_ api: any API, owner: String, clock: Clock = .continuous) async throws {
        self.api = api
        self.owner = owner
        self.clock = clock
        let start = clock.elapsed()
        let answer = try await post(JSONObject())
        guard answer["held"]?.bool == true, let token = answer["token"]?.string else {
            let holder = answer["owner"]?.string ?? "another program"
            let until = answer["until"]?.string.map { "; if that has died, its lock ends at \($0)" } ?? ""
            throw CommandFailure.failed("another apply is running, of \(holder)\(until)")
        }
        self.token = token
        renewedAt = start
        renewals = Task { [weak self] in
            while (try? await clock.sleep(Self.interval)) != nil {
                // A server that does not answer may answer the next time; the time limit holds meanwhile.
                guard let self else { return }
                try? await self.check()
            }
        }
    }

    /// To be called before each write. Renews the lock if it is due.
    ///
    /// - Throws: `CommandFailure` if it is lost.
    func check() async throws {
        if isLost { throw Self.lost }
        let start = clock.elapsed()
        guard start - renewedAt >= Self.interval else { return }
        guard try await post(["token": JSONValue(token)])["held"]?.bool == true else {
            isLost = true
            throw Self.lost
        }
        renewedAt = max(renewedAt, start)
    }

    /// Tells the server what the apply left.
    ///
    /// - Throws: `CommandFailure` if the lock is lost: the server stores nothing then.
    func keep(_ versions: CodeVersions) async throws {
        for (app, part) in versions.parts {
            let answer = try await post([
                "token": JSONValue(token), "app": JSONValue(app), "versions": JSONValue(part),
            ])
            guard answer["held"]?.bool == true else {
                isLost = true
                throw Self.lost
            }
        }
    }

    func release() async throws {
        renewals?.cancel()
        _ = try await post(["token": JSONValue(token), "release": true])
    }

    /// One request at a time: the server would take two at once for two holders, and refuse one.
    private func post(_ members: JSONObject) async throws -> JSONValue {
        var body = members
        body["owner"] = JSONValue(owner)
        let (api, text, previous) = (api, JSONValue(body), lastRequest)
        let request = Task {
            await previous?.value
            return try await api.json("POST", Self.target, text)
        }
        lastRequest = Task { _ = try? await request.value }
        return try await request.value
    }
}
