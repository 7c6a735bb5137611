public import Foundation
import WaymarkBytes

/// The client's settings. All have defaults.
public struct ClientOptions: Sendable, Hashable {
    /// The application's ID at the service. Default: nil, which is enough to create links if the service has only one
    /// application. Claiming a deferred deep link requires it.
    public var app: String?
    /// The platform that links are resolved for. Default: the system the app was built for.
    public var platform: DeeplinkPlatform
    /// The app's own version: dot-separated numbers, or Android's version code. If set, the service reports when a
    /// link requires a newer version (`Deeplink.update`, `ResolveResponse.update`); it rejects any other format.
    /// Default: nil, no version check.
    public var appVersion: String?
    /// The hosts that serve the app's smart links. Hosts are compared in full, ignoring case and port; `localhost`,
    /// `127.0.0.1` and `::1` are the same host. `Deeplinking(client:)` resolves links to these hosts, and clipboard
    /// text is sent to the service only if it is a link to one of them. Default: empty, meaning the service's own
    /// host.
    public var domains: Set<String>
    /// How failed requests are retried; see `RetryPolicy`.
    public var retry: RetryPolicy
    /// Time limit of one attempt. Default: 15 seconds.
    public var timeLimit: Duration
    /// Maximum size of a response body in bytes. Default: 256 KiB. Metadata has at most 16 KiB.
    public var answerLimit: Int
    /// Maximum number of queued events. Default: 500. The oldest events are dropped and counted.
    public var eventLimit: Int
    /// Maximum age of a queued event; older events are dropped and counted. Default: six days. The service
    /// deduplicates events for seven days; an event sent again after that would be counted twice.
    public var eventAge: Duration
    /// Whether events are sent automatically: when they occur, after increasing pauses if sending fails, and when a
    /// client is created while events are queued. Default: true. If false, call `flushEvents()`.
    public var sendsEvents: Bool
    /// Whether `http` is accepted for a service on the device itself (`http://localhost:8080`), for tests and
    /// development. Default: false.
    public var allowsPlainLoopback: Bool

    /// Creates options; omitted arguments have their defaults.
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
    /// The system the code was built for. iPhones and iPads are both `iOS`; the service then uses the URL for either.
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

/// A clock that returns the time and sleeps. Tests inject their own.
public protocol ClientClock: Sendable {
    /// The current time.
    var now: Date { get }
    /// Sleeps. Throws `CancellationError` when the task is cancelled.
    func sleep(for duration: Duration) async throws
}

/// The system's clock.
public struct SystemClock: ClientClock {
    /// Creates the clock.
    public init() {}

    public var now: Date { Date() }

    public func sleep(for duration: Duration) async throws { try await Task.sleep(for: duration) }
}

/// Random numbers for IDs and for retry jitter.
final class RandomSource: Sendable {
    private let generator: LockedValue<any RandomNumberGenerator & Sendable>

    init(_ generator: any RandomNumberGenerator & Sendable) {
        self.generator = LockedValue(generator)
    }

    func next() -> UInt64 {
        generator.withLock { $0.next() }
    }

    /// A number in `0..<1`.
    func fraction() -> Double {
        Double(next() >> 11) / Double(UInt64(1) << 53)
    }

    /// A random UUID (RFC 9562, section 5.4) in lower case.
    func identifier() -> String {
        let high = next() & 0xffff_ffff_ffff_0fff | 0x4000
        let low = next() & 0x3fff_ffff_ffff_ffff | 0x8000_0000_0000_0000
        let digits = Hexadecimal.text(high, width: 16) + Hexadecimal.text(low, width: 16)
        var identifier = ""
        for (index, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(index) { identifier.append("-") }
            identifier.append(digit)
        }
        return identifier
    }
}
