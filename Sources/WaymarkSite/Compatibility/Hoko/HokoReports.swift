import WaymarkAPI
import WaymarkBytes
import WaymarkHTTP
import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// Reports of HOKO's SDKs: opens, installations, and the routes that the app handles.
enum HokoReports {
    /// `POST /v2/smartlinks/open`.
    static func open(_ call: HokoCall, _ site: Site) async throws -> Response {
        let root = try call.document().root
        let url = try deepLink(root)
        let query = QueryString(url.firstIndex(of: "?").map { Array(url[url.index(after: $0)...].utf8) })
        let click = query.all("_hk_cid").first
        var smartlink: (host: HostName, path: OpenedPath.Target)?
        if click == nil, let code = query.all("_hk_sid").first {
            do {
                let link = try await HokoSmartlinks.link(code, of: call, site)
                smartlink = (link.domain, OpenedPath.Target(link.slug))
            } catch is HokoError {
                // An open of an unknown link is accepted and not counted: sending it again would not help.
            }
        }
        // The SDK repeats reports that were not answered, so a click counts once for each installation.
        let id = click.map { "open \(root["uid"]?.string ?? "") \($0)" }
        try await record(.open, id, click, smartlink, call, site)
        return done
    }

    /// `POST /v2/installs/android`: the app's first start, with Play's referrer.
    static func installAndroid(_ call: HokoCall, _ site: Site) async throws -> Response {
        guard call.platform == .android else { throw HokoError(.wrongToken) }
        let url = try deepLink(try call.document().root)
        let query = QueryString(url.firstIndex(of: "?").map { Array(url[url.index(after: $0)...].utf8) })
        let click = query.all("_hk_cid").first ?? DeferredClick(referrer: url)?.clickID
        try await record(.install, on: .android, click.map { "install \($0)" }, click, nil, call, site)
        return done
    }

    /// `POST /v2/installs/ios`. A device's description does not prove which click led to it, so there is never a deep link.
    static func installIOS(_ call: HokoCall, _ site: Site) async throws -> Response {
        guard call.platform.isApple else { throw HokoError(.wrongToken) }
        guard let device = try call.document().root["device"], !device.isNull else {
            throw HokoError(.missingParameters, "device")
        }
        guard device.object != nil else { throw HokoError(.notSaved, "device must be an object") }
        return .json(.ok, Array(#"{"deeplink":null}"#.utf8))
    }

    /// `GET /v2/version`: the last version of the SDK, so that no build asks for an update.
    static func version(_ call: HokoCall, _ site: Site) async throws -> Response {
        .json(.ok, Array(#"{"version":"2.5.0"}"#.utf8))
    }

    private static let done = Response.json(.ok, Array("{}".utf8))

    private static func deepLink(_ root: JSONValue) throws(HokoError) -> String {
        guard let value = root["deeplink"], !value.isNull else { throw HokoError(.missingParameters, "deeplink") }
        guard let text = value.string else { throw HokoError(.notSaved, "deeplink must be a string") }
        return text
    }

    /// - Parameter id: nil: each report counts.
    private static func record(
        _ kind: AppEvent.Kind, on platform: Platform? = nil, _ id: String?, _ click: String?,
        _ smartlink: (host: HostName, path: OpenedPath.Target)?, _ call: HokoCall, _ site: Site
    ) async throws(StoreError) {
        let random = Base62.random(length: 22, bytes: site.service.dependencies.randomBytes)
        let event = ReportedEvent(
            id: id ?? random, kind: kind, platform: platform, clickID: click, smartlink: smartlink)
        _ = try await site.service.record([event], for: call.application.id)
    }

    // MARK: Routes

    /// `POST /v2/routes`: a route that a debug build has mapped.
    static func registerRoute(_ call: HokoCall, _ site: Site) async throws -> Response {
        guard let route = try call.document().root["route"], !route.isNull else {
            throw HokoError(.missingParameters, "route")
        }
        guard route.object != nil else { throw HokoError(.badRoute, "route must be an object") }
        guard let given = route["path"], !given.isNull else { throw HokoError(.missingParameters, "route.path") }
        guard let path = given.string.flatMap({ Route($0) }) else {
            throw HokoError(.badRoute, "path must be like products/:id")
        }
        let registered = RegisteredRoute(
            path: path, platform: call.platform, device: try text("device", route), build: try text("build", route),
            version: try text("version", route), urlSchemes: try schemes(route["url_schemes"]),
            registeredAt: site.now)
        switch try await site.service.register(registered, of: call.application.id) {
        case .registered: return done
        case .replaced: return HokoError(.replacedRoute).response
        case .full: throw HokoError(.badRoute, "the application already has \(RegisteredRoute.limit) routes")
        case .applicationUnknown: throw HokoError(.unknownToken)
        }
    }

    private static func text(_ name: String, _ route: JSONValue) throws(HokoError) -> String? {
        guard let value = route[name], !value.isNull else { return nil }
        guard let text = value.string, isText(text) else {
            throw HokoError(.badRoute, "\(name) must be a text of up to \(RegisteredRoute.textLimit) bytes")
        }
        return text
    }

    private static func schemes(_ value: JSONValue?) throws(HokoError) -> [String] {
        guard let value, !value.isNull else { return [] }
        let schemes = (value.array ?? []).compactMap(\.string)
        guard let given = value.array, given.count == schemes.count, given.count <= RegisteredRoute.schemeLimit,
            schemes.allSatisfy({ isText($0) && !$0.isEmpty && !$0.contains(" ") })
        else { throw HokoError(.badRoute, "url_schemes must be up to \(RegisteredRoute.schemeLimit) schemes") }
        return schemes
    }

    private static func isText(_ text: String) -> Bool {
        text.utf8.count <= RegisteredRoute.textLimit && !text.holdsControlCharacters
    }
}
