import Synchronization
import WaymarkAPI
import WaymarkKit

/// A service that answers what it was told to, and remembers what it was asked.
final class StandInService: SmartlinkResolving, SmartlinkCreating, DeeplinkOpenRecording {
    struct Failure: Error, Equatable {}

    private struct State {
        var subjects: [ResolveRequest.Subject] = []
        var created: [LinkRequest] = []
        var opened: [String?] = []
    }

    private let state = Mutex(State())
    private let answer: ResolveResponse?
    private let smartlink: String?

    /// Nil makes the call fail.
    init(answer: ResolveResponse? = nil, smartlink: String? = nil) {
        self.answer = answer
        self.smartlink = smartlink
    }

    /// A service whose links lead to a URL, perhaps with metadata.
    convenience init(deeplink: String?, metadata: String? = nil) {
        self.init(
            answer: ResolveResponse(
                deeplink: deeplink, route: nil, routeParameters: [:], queryParameters: [:],
                metadata: metadata.flatMap { RawJSON(Array($0.utf8)) }, redeem: RedeemCount(limit: nil, used: 0)))
    }

    var subjects: [ResolveRequest.Subject] { state.withLock { $0.subjects } }
    var created: [LinkRequest] { state.withLock { $0.created } }
    var opened: [String?] { state.withLock { $0.opened } }

    func resolve(_ subject: ResolveRequest.Subject) async throws -> ResolveResponse {
        state.withLock { $0.subjects.append(subject) }
        guard let answer else { throw Failure() }
        return answer
    }

    func createSmartlink(_ link: LinkRequest) async throws -> String {
        state.withLock { $0.created.append(link) }
        guard let smartlink else { throw Failure() }
        return smartlink
    }

    func recordOpen(of deeplink: Deeplink) {
        state.withLock { $0.opened.append(deeplink.clickID) }
    }
}
