import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer

/// The one place where a resolution becomes a response.
enum VisitAnswer {
    /// - Parameter looksAt: what else than every visit's fields the decision looked at.
    static func response(
        _ resolution: Resolution, _ application: Application, to visit: Visit, _ looksAt: RuleFields
    ) -> Response {
        let visitorFields = Self.visitorFields(looksAt, visit)
        if visit.showsOnly, let page = DetailsPage.page(resolution, slug: visit.slug, application: application.name) {
            return .page(.ok, page, fields: visitorFields)
        }
        let asJSON = visit.prefersJSON
        switch resolution {
        case .redirect(let destination): return redirect(destination, application, visitorFields)
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

    /// A slug that nobody has, at a host of these applications; one address may ask for so many.
    static func unknown(_ applications: [Application], to visit: Visit, _ callers: CallerGate) -> Response {
        if let seconds = callers.takeUnknownSlug(visit.peer) {
            return StatePage.rateLimited(retryAfter: seconds, asJSON: visit.prefersJSON)
        }
        return unknown(applications, to: visit)
    }

    /// The same for who has been let through.
    static func unknown(_ applications: [Application], to visit: Visit) -> Response {
        let asJSON = visit.prefersJSON
        if !asJSON, !visit.showsOnly, let url = applications.lazy.compactMap(\.onUnknown).first {
            return redirect(to: url)
        }
        return StatePage.response(.slugUnknown, asJSON: asJSON)
    }

    /// Where the applications of a host send people who ask for no link; nil where none says.
    static func root(_ applications: [Application]) -> Response? {
        let urls = applications.lazy
        return (urls.compactMap(\.onRoot).first ?? urls.compactMap(\.onUnknown).first).map(redirect(to:))
    }

    static func unknownHost(asJSON: Bool) -> Response {
        StatePage.response(.hostUnserved, asJSON: asJSON)
    }

    static func badQuery(asJSON: Bool) -> Response {
        StatePage.response(Problem(.malformedRequest, "The query holds control characters."), asJSON: asJSON)
    }

    static func storeAway(asJSON: Bool) -> Response {
        StatePage.response(
            Problem(.storeUnavailable, "The store can't be reached, and the link can't be served without it."),
            asJSON: asJSON)
    }

    private static func state(_ state: LinkState, asJSON: Bool) -> Response {
        StatePage.response(Problem(state) ?? .linkUnknown, asJSON: asJSON)
    }

    private static func redirect(
        _ destination: Resolution.Destination, _ application: Application, _ visitorFields: HeaderBlock
    ) -> Response {
        var fields = redirectFields
        fields.append(visitorFields)
        guard fields.append(.location, destination.url) else {
            return StatePage.response(Problem(.internalError, "The destination can't be sent."), asJSON: true)
        }
        // What leads into an app differs from click to click, so it is never moved there for good.
        let status = destination.kind == .intent ? 302 : application.redirectStatus
        return Response(Self.status(status), fields: fields)
    }

    /// Where the application sends people whom no link leads anywhere; for the moment only.
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

    /// `Vary` on what was looked at. The address, which shares look at, is no field.
    private static func visitorFields(_ looksAt: RuleFields, _ visit: Visit) -> HeaderBlock {
        if looksAt.isEmpty { return visitorFields }
        var names = "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile"
        if looksAt.contains(.language) { names += ", Accept-Language" }
        if looksAt.contains(.referrer) { names += ", Referer" }
        if looksAt.contains(.country), let field = visit.countryField { names += ", \(field.text)" }
        var fields = HeaderBlock()
        // Names of fields hold no control characters.
        _ = fields.append(.vary, names)
        return fields
    }

    private static let visitorFields = HeaderBlock((.vary, "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile"))

    private static let redirectFields = HeaderBlock(
        (.cacheControl, "private, no-store"), (.referrerPolicy, "strict-origin-when-cross-origin"))
}
