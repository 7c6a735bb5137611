import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// The one place where a resolution becomes a response.
enum VisitAnswer {
    static func response(_ resolution: Resolution, _ application: Application, to visit: Visit) -> Response {
        if visit.showsOnly, let page = DetailsPage.page(resolution, slug: visit.slug, application: application.name) {
            return .page(.ok, page, fields: visitorFields)
        }
        let asJSON = visit.prefersJSON
        switch resolution {
        case .redirect(let destination): return redirect(destination, application)
        case .openApp(let opening):
            return .page(.ok, OpenAppPage.page(opening, application: application.name), fields: visitorFields)
        case .distinguishMac(let mac, let ipad):
            return .page(
                .ok, DevicePage.page(mac: mac, ipad: ipad, application: application.name), fields: visitorFields)
        case .preview(let card, let url): return .page(.ok, PreviewPage.page(card, url: url), fields: visitorFields)
        case .nowhere:
            return StatePage.response(Problem(.linkUnknown, "The link leads nowhere for this visitor."), asJSON: asJSON)
        case .disabled: return state(.disabled, asJSON: asJSON)
        case .expired:
            if !asJSON, !visit.showsOnly, let url = application.onExpired { return redirect(to: url) }
            return state(.expired, asJSON: asJSON)
        case .exhausted: return state(.exhausted, asJSON: asJSON)
        case .scheduled: return state(.scheduled, asJSON: asJSON)
        }
    }

    /// A slug that nobody has, at a host of these applications.
    static func unknown(_ applications: [Application], to visit: Visit, _ callers: CallerGate) -> Response {
        let asJSON = visit.prefersJSON
        if let seconds = callers.takeUnknownSlug(visit.peer) {
            return StatePage.rateLimited(retryAfter: seconds, asJSON: asJSON)
        }
        if !asJSON, !visit.showsOnly, let url = applications.lazy.compactMap(\.onUnknown).first {
            return redirect(to: url)
        }
        return StatePage.response(.slugUnknown, asJSON: asJSON)
    }

    static func unknownHost(asJSON: Bool) -> Response {
        StatePage.response(.hostUnserved, asJSON: asJSON)
    }

    static func badQuery(asJSON: Bool) -> Response {
        StatePage.response(Problem(.malformedRequest, "The query holds control characters."), asJSON: asJSON)
    }

    static func storeAway(asJSON: Bool) -> Response {
        StatePage.response(
            Problem(.storeUnavailable, "The link is not in memory and the store can't be reached."), asJSON: asJSON)
    }

    private static func state(_ state: LinkState, asJSON: Bool) -> Response {
        StatePage.response(Problem(state) ?? .linkUnknown, asJSON: asJSON)
    }

    private static func redirect(_ destination: Resolution.Destination, _ application: Application) -> Response {
        var fields = redirectFields
        guard fields.append(.location, destination.url) else {
            return StatePage.response(Problem(.internalError, "The destination can't be sent."), asJSON: true)
        }
        // What leads into an app differs from click to click, so it is never moved there for good.
        let status = destination.kind == .intent ? 302 : application.redirectStatus
        return Response(Self.status(status), fields: fields)
    }

    /// Where the application sends people whose link leads nowhere; for the moment only.
    private static func redirect(to url: WebURL) -> Response {
        var fields = HeaderBlock(
            (.cacheControl, "private, no-store"), (.referrerPolicy, "strict-origin-when-cross-origin"),
            (.vary, "Accept"))
        guard fields.append(.location, url.text) else { return .problem(.internalError, "The page can't be named.") }
        return Response(.found, fields: fields)
    }

    private static func status(_ code: Int) -> Status {
        switch code {
        case 301: .movedPermanently
        case 307: .temporaryRedirect
        case 308: .permanentRedirect
        default: .found
        }
    }

    private static let visitorFields = HeaderBlock((.vary, "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile"))

    private static let redirectFields = HeaderBlock(
        (.cacheControl, "private, no-store"), (.referrerPolicy, "strict-origin-when-cross-origin"),
        (.vary, "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile"))
}
