/// The app's connection to its smart-link service: makes and resolves smart links, asks for the deep link that waited for
/// the installation, and reports what was opened.
///
///     let client = try WaymarkClient(
///         service: "https://go.example.com", key: "wm_…", options: ClientOptions(app: "shop"),
///         storage: FileStorage.applicationSupport())
///     let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])
///
/// The key needs the scopes `resolve` and, for making links, `create`. It is sent to the service's address only and
/// appears in no description and no error.
///
/// Every request that takes or makes something carries an idempotency key that is stored before the request is sent.
/// Where an answer gets lost, the same call made again, also after the app was killed, is the same request for the
/// service: it takes no second redeem and makes no second link.
///
/// It may be used from anywhere. An app has one client; a storage belongs to one.
public final class WaymarkClient: Sendable {
    /// How it works.
    public let options: ClientOptions

    /// The hosts that serve the app's smart links: those of the options, in lower case, or the service's own.
    public var domains: Set<String> {
        options.domains.isEmpty ? [address.host] : Set(options.domains.map { $0.lowercased() })
    }

    let address: ServiceAddress
    let sender: RequestSender
    let requests: IdempotentRequests
    let events: EventQueue
    let delivery: EventDelivery
    let installation: StoredState<Installation>
    let claims = ClaimTurn()

    /// A client that has not asked anything yet. Events that wait in the storage are sent from now on, unless the options
    /// say otherwise.
    ///
    /// Throws `WaymarkClientError.invalidAddress` and `.invalidKey`.
    ///
    /// - Parameters:
    ///   - service: the address, `https://go.example.com`, perhaps with a port and a path.
    ///   - key: the API key, with scopes for apps (`resolve`, `create`) only.
    ///   - options: see `ClientOptions`.
    ///   - storage: what outlasts the app; see `FileStorage`.
    ///   - transport: who sends requests.
    ///   - clock: the system's, but for tests.
    ///   - random: for ids and for spreading retries; the system's, but for tests.
    public init(
        service: String, key: String, options: ClientOptions = ClientOptions(), storage: any ClientStorage,
        transport: any HTTPTransport = URLSessionTransport(), clock: any ClientClock = SystemClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) throws(WaymarkClientError) {
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw .invalidKey }
        self.options = options
        address = try ServiceAddress(service, allowsPlainLoopback: options.allowsPlainLoopback)
        sender = RequestSender(
            address: address, key: key, transport: transport, clock: clock, random: RandomSource(random),
            policy: options.retry, timeLimit: options.timeLimit, answerLimit: options.answerLimit)
        requests = IdempotentRequests(sender: sender, storage: storage)
        events = EventQueue(
            storage: storage, countLimit: options.eventLimit,
            ageLimit: Int(clamping: options.eventAge.components.seconds))
        delivery = EventDelivery(queue: events, sender: sender)
        installation = StoredState(storage)
        if options.sendsEvents, !events.isEmpty { startDelivery() }
    }

    deinit {
        Task { [delivery] in await delivery.stop() }
    }

    func startDelivery() {
        Task { [delivery] in await delivery.deliver() }
    }
}

extension WaymarkClient: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The service's address, without the key.
    public var description: String { "WaymarkClient(\(address.base))" }
    /// As `description`.
    public var debugDescription: String { description }
    /// Only what `description` says, so that `dump` shows no key.
    public var customMirror: Mirror { Mirror(self, children: ["service": address.base]) }
}

/// Lets one claim run at a time.
final class ClaimTurn: Sendable {
    private let isTaken = LockedValue(false)

    /// Whether it was free.
    func take() -> Bool {
        isTaken.withLock { isTaken in
            defer { isTaken = true }
            return !isTaken
        }
    }

    func giveBack() {
        isTaken.withLock { $0 = false }
    }
}
