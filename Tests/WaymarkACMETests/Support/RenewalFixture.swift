import Logging
import Synchronization
import WaymarkClient
import WaymarkTLS

@testable import WaymarkACME

/// A clock that advances during sleeps.
final class TestClock: Sendable {
    static let start: Int64 = 1_800_000_000

    private let seconds = Mutex(TestClock.start)

    var now: Int64 { seconds.withLock { $0 } }

    func advance(_ count: Int64) { seconds.withLock { $0 += count } }

    /// Returns at once.
    func sleep(_ duration: Duration) throws {
        try Task.checkCancellation()
        advance(max(1, duration.components.seconds))
    }
}

/// One server's renewal, on an authority and documents that others may share.
struct RenewalFixture: Sendable {
    /// What the listeners were given.
    final class Published: Sendable {
        let certificates = Mutex<[[IssuedCertificate]]>([])
        let challenges = Mutex<[[PendingChallenge]]>([])

        var hosts: [String] { certificates.withLock { $0.last ?? [] }.map(\.host) }
        var pending: [PendingChallenge] { challenges.withLock { $0.last ?? [] } }
    }

    let clock: TestClock
    let storage: MemoryStorage
    let authority: ScriptedAuthority
    let renewal: CertificateRenewal
    let published = Published()

    /// - Parameter endless: pauses of at least this length end only when they are cancelled.
    init(
        _ hosts: [String] = ["go.example.com"], clock: TestClock = TestClock(),
        storage: MemoryStorage = MemoryStorage(),
        authority: ScriptedAuthority? = nil, others: [ScriptedAuthority] = [], external: ExternalAccount? = nil,
        holder: String = "one", random: Double = 0, endless: Duration? = nil, owners: [String: String] = [:],
        settings change: (inout CertificateRenewal.Settings) -> Void = { _ in }
    ) {
        let authority = authority ?? ScriptedAuthority { clock.now }
        self.clock = clock
        self.storage = storage
        self.authority = authority
        var settings = CertificateRenewal.Settings(
            authorities: [ACMEAuthority(directory: authority.directory, externalAccount: external)]
                + others.map { ACMEAuthority(directory: $0.directory) },
            kinds: [.tlsALPN, .http], holder: holder)
        settings.contacts = ["mailto:operator@example.com"]
        // Hosts that wait at once would each advance the clock, by as much as the machine's load lets them.
        settings.concurrency = 1
        change(&settings)
        let published = published
        renewal = CertificateRenewal(
            settings,
            CertificateRenewal.Environment(
                storage: storage, client: Switchboard(authorities: [authority] + others), hosts: { hosts },
                owners: { owners },
                useCertificates: { certificates in published.certificates.withLock { $0.append(certificates) } },
                useChallenges: { challenges in published.challenges.withLock { $0.append(challenges) } },
                now: { clock.now },
                sleep: { duration in
                    if let endless, duration >= endless { try await Task.sleep(for: .seconds(86_400)) }
                    try clock.sleep(duration)
                }, random: { random }),
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
    }

    /// Turns, with the pauses between them, until the time has passed.
    func run(seconds: Int64, _ check: () -> Void = {}) async {
        let end = clock.now + seconds
        while clock.now < end {
            clock.advance(Int64(await renewal.turn()))
            check()
        }
    }

    var status: CertificateStatus? { renewal.statuses.first }
    var problem: CertificateStatus.Problem? { status?.problem }
}

/// Reaches several authorities by their names.
private struct Switchboard: ScriptedClient {
    let authorities: [ScriptedAuthority]

    func answer(to request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        guard
            let authority = authorities.first(where: { authority in
                request.url.hasPrefix(String(authority.directory.dropLast("directory".utf8.count)))
            })
        else { throw .name(host: request.url) }
        return try authority.answer(to: request)
    }
}

/// Answers each request by itself.
protocol ScriptedClient: HTTPSending {
    func answer(to request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse
}

extension ScriptedClient {
    func outcomes(
        of requests: [HTTPRequest], while goesOn: @escaping @Sendable (HTTPOutcome) -> Bool
    ) async -> [HTTPOutcome] {
        requests.map { request in HTTPOutcome(Result { () throws(HTTPFailure) in try answer(to: request) }) }
    }

    func obstacle(to url: String) async -> HTTPFailure? { nil }
}
