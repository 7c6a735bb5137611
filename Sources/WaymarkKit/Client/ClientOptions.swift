public import Foundation

/// How a client works; everything has a default.
public struct ClientOptions: Sendable, Hashable {
    /// The application's id at the service. Making links does without, nil, the default, where the service has one
    /// application only; claiming a deferred deep link does not.
    public var app: String?
    /// What links are resolved for: the system that the app was built for by default.
    public var platform: DeeplinkPlatform
    /// The app's own version: numbers with dots between them, or Android's version code. Where it is given the service says
    /// when a link wants a newer one (`Deeplink.update`, `ResolveResponse.update`); anything else than such a text it refuses.
    /// Nil, the default, asks for no update.
    public var appVersion: String?
    /// The hosts that serve the app's smart links, compared whole and without regard to case; ports are not looked at, and
    /// `localhost`, `127.0.0.1` and `::1` are one host. `Deeplinking(client:)` resolves links to them, and a text from the
    /// clipboard is sent to the service only where it is a link to one of them. Empty, the default, is the service's own host.
    public var domains: Set<String>
    /// How requests are sent again; see `RetryPolicy`.
    public var retry: RetryPolicy
    /// How long one attempt may take; 15 seconds by default.
    public var timeLimit: Duration
    /// How many bytes an answer may have; 256 KiB by default. Metadata have at most 16 KiB.
    public var answerLimit: Int
    /// How many events wait at most; 500 by default. The oldest are dropped and counted.
    public var eventLimit: Int
    /// How old an event may get before it is dropped and counted; six days by default. The service knows for seven days
    /// which events it has counted: one that is sent again later than that would count twice.
    public var eventAge: Duration
    /// Whether events are sent without being asked: as soon as they happen, again after growing pauses, and when a client is
    /// made while events wait. True by default; else they go with `flushEvents()`.
    public var sendsEvents: Bool
    /// Whether `http` is taken for a service on the device itself (`http://localhost:8080`), for tests and development.
    /// False by default.
    public var allowsPlainLoopback: Bool

    /// The defaults; what is given replaces them.
    public init(
        app: String? = nil, platform: DeeplinkPlatform = .current, domains: Set<String> = [],
        retry: RetryPolicy = RetryPolicy(), timeLimit: Duration = .seconds(15), answerLimit: Int = 256 * 1_024,
        eventLimit: Int = 500, eventAge: Duration = .seconds(6 * 86_400), sendsEvents: Bool = true,
        allowsPlainLoopback: Bool = false, appVersion: String? = nil
    ) {
        self.app = app
        self.platform = platform
        self.domains = domains
        self.retry = retry
        self.timeLimit = timeLimit
        self.answerLimit = answerLimit
        self.eventLimit = eventLimit
        self.eventAge = eventAge
        self.sendsEvents = sendsEvents
        self.allowsPlainLoopback = allowsPlainLoopback
        self.appVersion = appVersion
    }
}

extension DeeplinkPlatform {
    /// The system that the code was built for. iPhones and iPads are both `iOS`; the service then takes the URL for
    /// either.
    public static var current: DeeplinkPlatform {
        #if os(iOS) || os(tvOS) || os(watchOS) || os(visionOS)
            .iOS
        #elseif os(macOS)
            .macOS
        #elseif os(Android)
            .android
        #elseif os(Windows)
            .windows
        #elseif os(Linux)
            .linux
        #else
            .web
        #endif
    }
}

/// What time it is, and waiting. Tests give another one.
public protocol ClientClock: Sendable {
    /// The time of day.
    var now: Date { get }
    /// Waits. Throws `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The system's clock.
public struct SystemClock: ClientClock {
    /// The system's clock.
    public init() {}

    public var now: Date { Date() }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// Random numbers for ids and for spreading retries.
final class RandomSource: Sendable {
    private let generator: LockedValue<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = LockedValue(generator)
    }

    func next() -> UInt64 {
        generator.withLock { $0.next() }
    }

    /// A number in 0 ..< 1.
    func fraction() -> Double {
        Double(next() >> 11) / Double(UInt64(1) << 53)
    }

    /// A random UUID (RFC 9562, section 5.4) in lower case.
    func identifier() -> String {
        let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
        let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = [high, low].map { word in
            let text = String(word, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }.joined()
        var identifier = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { identifier.append("-") }
            identifier.append(digit)
        }
        return identifier
    }
}
