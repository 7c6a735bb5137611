import Foundation
import Synchronization
import WaymarkJSON
import WaymarkKit

/// A client whose network, clock and random numbers are those of a case.
struct CaseClient {
    let client: WaymarkClient
    let network: CaseNetwork
    let clock: CaseClock
    private let storage: MemoryStorage

    /// - Parameter earlier: the client of the process before this one, whose storage, network and clock go on.
    init(_ input: JSONValue, after earlier: CaseClient? = nil) throws {
        let network = earlier?.network ?? CaseNetwork(input["answers"]?.array ?? [])
        let clock = earlier?.clock ?? CaseClock()
        (self.network, self.clock, storage) = (network, clock, earlier?.storage ?? MemoryStorage())
        var options = ClientOptions(
            app: input["app"]?.string ?? "shop",
            platform: input["platform"]?.string.flatMap(DeeplinkPlatform.init(rawValue:)) ?? .android,
            domains: Set(input.texts("domains")), sendsEvents: false, appVersion: input["appVersion"]?.string)
        if let retry = input["retry"] {
            options.retry = RetryPolicy(
                attempts: retry["attempts"]?.integer ?? 4,
                firstWait: .seconds(retry["firstWait"]?.number?.double ?? 0.5),
                longestWait: .seconds(retry["longestWait"]?.number?.double ?? 20))
        }
        if let limit = input["eventLimit"]?.integer { options.eventLimit = limit }
        if let age = input["eventAge"]?.integer { options.eventAge = .seconds(age) }
        client = try WaymarkClient(
            service: CaseNetwork.service, key: "wm_0123456789abcdefghijklmnopqrstuv", options: options,
            storage: storage, transport: network, clock: clock,
            random: CaseRandom(input["random"]?.number?.double ?? 0.5, isSecond: earlier != nil))
    }

    /// The events that wait, without their IDs and times.
    var events: JSONValue {
        let stored = storage.read("events").flatMap { try? JSONValue(parsing: $0) }
        return (stored?["events"] ?? JSONValue([])).withoutChangingMembers
    }
}

/// A clock that moves only when somebody waits.
final class CaseClock: ClientClock {
    private struct State {
        /// 2026-11-21T10:00:00Z.
        var now = Date(timeIntervalSince1970: 1_795_255_200)
        var waits: [Double] = []
    }

    private let state = Mutex(State())

    var now: Date { state.withLock { $0.now } }

    /// In seconds, rounded to thousandths.
    var waits: JSONValue {
        JSONValue(state.withLock { $0.waits }.map { JSONValue(($0 * 1_000).rounded() / 1_000) ?? .null })
    }

    func advance(by seconds: Int) {
        state.withLock { $0.now += Double(seconds) }
    }

    func sleep(for duration: Duration) async throws {
        let seconds = duration / .seconds(1)
        state.withLock { state in
            state.waits.append(seconds)
            state.now += seconds
        }
    }
}

/// Numbers whose upper half is the fraction of the case, and whose lower half differs each time: waits are those of the
/// case, and IDs are not equal.
struct CaseRandom: RandomNumberGenerator {
    private let upper: UInt64
    private var lower: UInt64

    init(_ fraction: Double, isSecond: Bool) {
        lower = isSecond ? 0x8000_0000 : 0
        upper = UInt64(min(fraction, 0.999_999) * 4_294_967_296) << 32
    }

    mutating func next() -> UInt64 {
        lower += 0x1_0001
        return upper | lower & 0xffff_ffff
    }
}

extension JSONValue {
    /// The value without the members `id`, `at` and `installID`, which differ in each run.
    var withoutChangingMembers: JSONValue {
        switch kind {
        case .array(let elements): JSONValue(elements.map(\.withoutChangingMembers))
        case .object(let object):
            JSONValue(
                object.members.reduce(into: JSONObject()) { rest, member in
                    guard !["id", "at", "installID"].contains(member.name) else { return }
                    rest[member.name] = member.value.withoutChangingMembers
                })
        default: self
        }
    }
}
