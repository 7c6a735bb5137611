import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// The only place that converts a resolution to a response.
enum VisitResponse {
    /// - Parameter question: the inputs of the resolution.
    static func response(
        _ resolution: Resolution, of question: VisitEvaluation, to visit: Visit, at now: Timestamp
    ) -> Response {
        let application = question.application
        let format = visit.problemFormat
        let owner = PageOwner(application, sha256: question.sha256)
        switch resolution {
        case .redirect(let destination) where !visit.showsOnly:
            let fields = visitorFields(question.looksAt, visit)
            // The browser must not send the password on.
            if question.visitor.password != nil { return redirect(destination, 303, fields, intentStatus: 303) }
            return redirect(destination, question.link.redirectStatus(application), fields)
        case .redirect, .openApp, .distinguishMac, .scan, .preview:
            let page = VisitPage(question: question, visit: visit, now: now).page(resolution)
            return .page(.ok, page, fields: visitorFields(question.looksAt.union(.language), visit))
        case .locked: return PasswordPage.response(.ok, visit.pageLanguage, of: owner)
        case .nowhere:
            return StatePage.response(
                Problem(.linkUnknown, "The link leads nowhere for this visitor."), as: format, of: owner)
        case .disabled: return state(.disabled, as: format, of: owner)
        case .expired:
            if !format.isJSON, !visit.showsOnly, let url = question.link.expiredURL(application) {
                return redirect(to: url)
            }
            return state(.expired, as: format, of: owner)
        case .exhausted: return state(.exhausted, as: format, of: owner)
        case .scheduled: return state(.scheduled, as: format, of: owner)
        }
    }

    /// An unknown slug on a host of these applications; rate-limited per address.
    static func unknown(_ applications: [Application], to visit: Visit, at site: Site) -> Response {
        if let seconds = site.callers.takeUnknownSlug(visit.peer) {
            return StatePage.rateLimited(retryAfter: seconds, as: visit.problemFormat)
        }
        return unknown(applications, to: visit, sha256: site.service.dependencies.sha256)
    }

    /// The same, without checking the rate limit.
    static func unknown(
        _ applications: [Application], to visit: Visit, sha256: @escaping @Sendable (_ bytes: [UInt8]) -> [UInt8]
    ) -> Response {
        if !visit.problemFormat.isJSON, !visit.showsOnly, let url = applications.lazy.compactMap(\.onUnknown).first {
            return redirect(to: url)
        }
        if !visit.problemFormat.isJSON, applications.contains(where: { $0.firebase?.isEnabled == true }) {
            return FirebasePage.notFound(host: visit.host, slug: visit.slug)
        }
        return StatePage.response(
            .slugUnknown, as: visit.problemFormat, of: PageOwner(applications, sha256: sha256))
    }

    /// The redirect of a host's applications for requests without a slug; nil if none has one.
    static func root(_ applications: [Application]) -> Response? {
        let urls = applications.lazy
        return (urls.compactMap(\.onRoot).first ?? urls.compactMap(\.onUnknown).first).map(redirect(to:))
    }

    static func unknownHost(as format: ProblemFormat) -> Response {
        StatePage.response(.hostUnserved, as: format)
    }

    static func badQuery(as format: ProblemFormat) -> Response {
        StatePage.response(Problem(.malformedRequest, "The query holds control characters."), as: format)
    }

    static func storeAway(as format: ProblemFormat) -> Response {
        StatePage.response(
            Problem(.storeUnavailable, "The store can't be reached, and the link can't be served without it."),
            as: format)
    }

    private static func state(_ state: LinkState, as format: ProblemFormat, of owner: PageOwner) -> Response {
        StatePage.response(Problem(state) ?? .linkUnknown, as: format, of: owner)
    }

    private static func redirect(
        _ destination: Resolution.Destination, _ webStatus: Int, _ visitorFields: HeaderFields,
        intentStatus: Int = 302
    ) -> Response {
        var fields = redirectFields
        fields.append(visitorFields)
        guard fields.append(.location, destination.url) else {
            return StatePage.response(Problem(.internalError, "The destination can't be sent."), as: .json)
        }
        // Destinations in an app differ from click to click, so the redirect is never permanent.
        let status = destination.kind == .intent ? intentStatus : webStatus
        return Response(Self.status(status), fields: fields)
    }

    /// Redirects people whose link has no destination; always temporary.
    private static func redirect(to url: WebURL) -> Response {
        var fields = HeaderFields(
            (.cacheControl, "private, no-store"), (.referrerPolicy, "strict-origin-when-cross-origin"),
            (.vary, "Accept"))
        guard fields.append(.location, url.text) else { return .problem(.internalError, "The page can't be named.") }
        return Response(.found, fields: fields)
    }

    private static func status(_ code: Int) -> Status {
        switch code {
        case 301: .movedPermanently
        case 303: Status(303)
        case 307: .temporaryRedirect
        case 308: .permanentRedirect
        default: .found
        }
    }

    /// `Vary` for the fields used by the rules. Shares depend on the address, which is not a field.
    private static func visitorFields(_ looksAt: RuleFields, _ visit: Visit) -> HeaderFields {
        if looksAt.isEmpty { return visitorFields }
        var names = "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile"
        if looksAt.contains(.language) { names += ", Accept-Language" }
        if looksAt.contains(.referrer) { names += ", Referer" }
        if looksAt.contains(.country), let field = visit.countryField { names += ", \(field.text)" }
        var fields = HeaderFields()
        // Field names have no control characters.
        _ = fields.append(.vary, names)
        return fields
    }

    private static let visitorFields = HeaderFields((.vary, "User-Agent, Sec-CH-UA-Platform, Sec-CH-UA-Mobile"))

    private static let redirectFields = HeaderFields(
        (.cacheControl, "private, no-store"), (.referrerPolicy, "strict-origin-when-cross-origin"))
}

/// The page of a resolution, for one visit.
struct VisitPage {
    let question: VisitEvaluation
    let visit: Visit
    let now: Timestamp

    private var application: Application { question.application }

    /// - Precondition: the resolution has its own page: it has a destination, or is a preview.
    func page(_ resolution: Resolution) -> Page {
        // Anybody can write a long link: only crawlers, which show the card as that of a link, get its texts.
        let social = question.link.id == .unstored ? nil : question.link.content.social
        let context = PageContext(
            language: visit.pageLanguage, application: application, social: social, sha256: question.sha256)
        if visit.showsOnly {
            let elsewhere = question.link.targetsElsewhere(
                application: application, visitor: question.visitor, now: now)
            return DetailsPage.page(resolution, elsewhere: elsewhere, slug: visit.slug, context)
        }
        switch resolution {
        case .openApp(let opening):
            let isApple = question.visitor.platform.isApple
            return OpenAppPage.page(opening, context, tags: tags(banner: isApple ? opening : nil))
        case .distinguishMac(let mac, let ipad):
            var banner: Resolution.AppOpening?
            if case .openApp(let opening) = ipad { banner = opening }
            return DevicePage.page(mac: mac, ipad: ipad, context, tags: tags(banner: banner))
        case .scan(let scan): return ScanPage.page(scan, context, tags: tags(banner: nil))
        case .preview(let card, let url):
            return PreviewPage.page(card, url: url, destination: destination, context, tags: tags(banner: nil))
        case .redirect, .locked, .nowhere, .disabled, .expired, .exhausted, .scheduled:
            preconditionFailure("this resolution has no page here")
        }
    }

    /// Where a person with the same device would get to without the app.
    private var destination: String? {
        question.link.targets(
            on: question.visitor.platform, application: application, visitor: question.visitor, now: now
        ).first { $0.kind != .app }?.url
    }

    private func tags(banner opening: Resolution.AppOpening?) -> Markup {
        """
        \(AppLinkTags.smartAppBanner(opening, application))\
        \(AppLinkTags.appLinks(question.link, application, question.visitor, now: now))
        """
    }
}
