import Logging
import Synchronization
import WaymarkAPI
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// What Firebase's SDK for iOS asks: `reopenAttribution`, `installAttribution` and `exchangeShortLink`.
struct FirebaseAttribution {
    private let call: FirebaseCall

    init(_ call: FirebaseCall) { self.call = call }

    func reopen() async throws -> Response {
        let body = try FirebaseObject(json: call.body)
        let target = try await FirebaseTarget(body.text("requestedLink"), call)
        if target.link.id != .unstored {
            call.site.service.noteOpening(of: target.link)
        }
        var answer = JSONObject()
        answer["deepLink"] = target.deepLink.url.map { JSONValue($0) }
        answer["resolvedLink"] = JSONValue(target.longLink)
        answer["iosMinAppVersion"] = target.link.content.minimumVersions?.ios.map { JSONValue($0.text) }
        answer.add(target.link.content.campaign)
        return .json(.ok, JSONValue(answer).bytes())
    }

    func exchange() async throws -> Response {
        let body = try FirebaseObject(json: call.body)
        let target = try await FirebaseTarget(body.text("requestedLink"), call)
        var answer = JSONObject()
        answer["longLink"] = JSONValue(target.longLink)
        return .json(.ok, JSONValue(answer).bytes())
    }

    // MARK: First start

    /// Apps ask once: a refusal would lose the link for good, so whatever happens is 200 and says why in `matchMessage`.
    func install() async throws -> Response {
        let body = try FirebaseObject(json: call.body)
        let bundle = body.text("bundleId") ?? ""
        guard let text = body.text("uniqueMatchLinkToCheck") else {
            return Self.unmatched("No pre-install link matched for this device: only exact matches are made.")
        }
        let installation = [
            "firebase", bundle, body.text("appInstallationTime") ?? "", body.object("device").canonicalText,
        ].joined(separator: "\n")
        let memory = call.site.firebaseAnswers
        let key = call.site.service.dependencies.sha256(
            Array([call.caller.application?.text ?? "", installation, text].joined(separator: "\n").utf8))
        if let known = memory.answer(key, at: call.site.now) { return .json(.ok, known) }
        guard let host = WebURL(text)?.host, let (_, served) = try call.domain(at: host) else {
            return Self.unmatched("The link is not on a domain of this application.")
        }
        guard served.application.firebase?.bundleIDs.contains(bundle) == true else {
            return Self.unmatched("The bundle ID is not one of this application.")
        }
        let model = body.object("device").text("deviceModelName") ?? ""
        let input = ClaimInput(
            application: served.id, platform: model.hasPrefix("iPad") ? .ipad : .iphone, installation: installation,
            clipboard: text)
        if call.site.service.storeHealth.isAway { return Self.unmatched(Self.unavailable) }
        let claimed: ClaimAnswering
        do throws(StoreError) {
            claimed = try await call.site.service.claim(input)
        } catch {
            call.site.logger.warning("an installation was not matched: \(error)")
            return Self.unmatched(Self.unavailable)
        }
        guard case .matched(let resolved, _) = claimed else {
            return Self.unmatched("The link has no click ID, or another device has claimed it.")
        }
        let answer = matched(FirebaseTarget(resolved.link, served.application), resolved.deepLink, requested: text)
        memory.keep(answer, for: key, at: call.site.now)
        return .json(.ok, answer)
    }

    private func matched(_ target: FirebaseTarget, _ deepLink: DeepLink, requested: String) -> [UInt8] {
        let parameters = target.link.content.firebase
        let store = target.application.ios?.appStoreID.map { "https://apps.apple.com/app/id" + $0 }
        var answer = JSONObject()
        answer["deepLink"] = deepLink.url.map { JSONValue($0) }
        answer["attributionConfidence"] = "UNIQUE"
        answer["requestedLink"] = JSONValue(requested)
        answer["resolvedLink"] = JSONValue(target.longLink)
        answer["fallbackLink"] = (parameters?[.ifl] ?? store ?? deepLink.url).map { JSONValue($0) }
        answer["appMinimumVersion"] = target.link.content.minimumVersions?.ios.map { JSONValue($0.text) }
        answer["isStrongMatchExecutable"] = true
        answer["requestIpVersion"] = "IP_V4"
        answer["matchMessage"] = "Link is uniquely matched for this device."
        answer.add(target.link.content.campaign)
        return JSONValue(answer).bytes()
    }

    private static let unavailable = "The link could not be looked up: the store is unavailable."

    private static func unmatched(_ why: String) -> Response {
        var answer = JSONObject()
        answer["matchMessage"] = JSONValue(why)
        answer["requestIpVersion"] = "IP_V4"
        return .json(.ok, JSONValue(answer).bytes())
    }
}

/// Matches of `installAttribution`, for as long as they are given again. They stay in memory because apps ask only once,
/// also while the store is unavailable.
final class FirebaseAnswers: Sendable {
    private struct State {
        var answers: [[UInt8]: (body: [UInt8], until: Timestamp)] = [:]
        /// Oldest first.
        var order: [[UInt8]] = []
        var start = 0
    }

    private let state = Mutex(State())
    private static let limit = 10_000
    /// Bytes of a response. Larger ones are left to the store, so that all together fit into 40 MiB.
    private static let bodyLimit = 4_096
    private static let lifetime: Int64 = 24 * 60 * 60 * 1000

    func answer(_ key: [UInt8], at now: Timestamp) -> [UInt8]? {
        state.withLock { state in
            guard let known = state.answers[key], known.until > now else { return nil }
            return known.body
        }
    }

    func keep(_ body: [UInt8], for key: [UInt8], at now: Timestamp) {
        guard body.count <= Self.bodyLimit else { return }
        state.withLock { state in
            if state.answers.updateValue((body, now.advanced(byMilliseconds: Self.lifetime)), forKey: key) != nil {
                return
            }
            state.order.append(key)
            if state.order.count - state.start > Self.limit {
                state.answers[state.order[state.start]] = nil
                state.start += 1
            }
            if state.start >= Self.limit {
                state.order.removeFirst(state.start)
                state.start = 0
            }
        }
    }
}

extension JSONObject {
    /// `utmSource` and so on.
    fileprivate mutating func add(_ campaign: CampaignRequest?) {
        let values = [
            ("utmSource", campaign?.source), ("utmMedium", campaign?.medium), ("utmCampaign", campaign?.name),
            ("utmTerm", campaign?.term), ("utmContent", campaign?.content),
        ]
        for (name, value) in values { self[name] = value.map { JSONValue($0) } ?? self[name] }
    }
}
