/// The app's client of the smart link service: creates and resolves smart links, claims deferred deep links, and
/// records which links were opened.
///
///     let client = try WaymarkClient(
///         service: "https://go.example.com", key: "wm_…", options: ClientOptions(app: "shop"))
///     let deeplinking = Deeplinking(client: client, urlSchemes: ["shop"])
///
/// The key needs the scope `resolve`, and `create` to create links. It is only sent to the service's address and
/// never appears in descriptions or errors.
///
/// Every request that creates a link or takes a redeem has an idempotency key, which is stored before the request is
/// sent. If the response is lost, repeating the call, even after the app was killed, repeats the same request: it
/// takes no second redeem and creates no second link.
///
/// It may be used from any thread. An app has one client, and a storage belongs to one client.
public final class WaymarkClient: Sendable {
    /// The library's version, which requests carry: `User-Agent: WaymarkKit/0.3.0 (iOS 18.1)`.
    public static let version = "0.3.0"

    /// The client's settings.
    public let options: ClientOptions

    /// The hosts that serve the app's smart links in lower case: those of the options, or the service's own host.
    public var domains: Set<String> {
        options.domains.isEmpty ? [address.host] : Set(options.domains.map { $0.lowercased() })
    }

    let address: ServiceAddress
    let sender: RequestSender
    let requests: IdempotentRequests
    let events: EventQueue
    let delivery: EventDelivery
    let installation: StoredState<Installation>
    let links: KeptLinkStore
    let claims = ClaimTurn()
    let onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)?

    /// Creates a client. Stored events are sent from now on, unless the options disable it.
    ///
    /// Throws `WaymarkClientError.invalidAddress` and `.invalidKey`.
    ///
    /// - Parameters:
    ///   - service: the service's URL, such as `https://go.example.com`, optionally with a port and a path; a string
    ///     or Foundation's `URL`.
    ///   - key: an API key with only the scopes for apps (`resolve`, `create`).
    ///   - options: see `ClientOptions`.
    ///   - storage: persistent storage. Default: `FileStorage.standard`, in the application support folder.
    ///   - transport: sends the requests.
    ///   - clock: the system's clock by default; tests inject another.
    ///   - random: for IDs and retry jitter; the system's generator by default; tests inject another.
    ///   - onDiagnostic: called with each request and response, on any thread; see `LinkDiagnostic`.
    public init(
        service: some DeepLinkURLConvertible, key: String, options: ClientOptions = ClientOptions(),
        storage: any ClientStorage = FileStorage.standard, transport: any HTTPTransport = URLSessionTransport(),
        clock: any ClientClock = SystemClock(),
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onDiagnostic: (@Sendable (LinkDiagnostic) -> Void)? = nil
    ) throws(WaymarkClientError) {
        guard !key.isEmpty, key.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7f }) else { throw .invalidKey }
        self.options = options
        self.onDiagnostic = onDiagnostic
        address = try ServiceAddress(service.deepLinkURL.text, allowsPlainLoopback: options.allowsPlainLoopback)
        sender = RequestSender(
            address: address, key: key, transport: transport, clock: clock, random: RandomSource(random),
            policy: options.retry, timeLimit: options.timeLimit, answerLimit: options.answerLimit,
            onDiagnostic: onDiagnostic)
        requests = IdempotentRequests(sender: sender, storage: storage)
        events = EventQueue(
            storage: storage, countLimit: options.eventLimit,
            ageLimit: Int(clamping: options.eventAge.components.seconds))
        delivery = EventDelivery(queue: events, sender: sender)
        installation = StoredState(storage)
        links = KeptLinkStore(storage: storage, clock: clock)
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
    /// The service's URL, without the key.
    public var description: String { "WaymarkClient(\(address.base))" }
    /// Same as `description`.
    public var debugDescription: String { description }
    /// Only the service's URL, so that `dump` does not show the key.
    public var customMirror: Mirror { Mirror(self, children: ["service": address.base]) }
}

/// Allows one claim at a time.
final class ClaimTurn: Sendable {
    private let isTaken = LockedValue(false)

    /// Returns true if no claim was running.
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
