import WaymarkAPI
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// A `GET` or `HEAD` of a smart link: all parts of the request that affect the response.
struct Visit: Sendable {
    let host: HostName?
    /// Nil if the path's segment is not a valid slug.
    var slug: Slug?
    var visitor: Visitor
    let problemFormat: ProblemFormat
    /// The language of the page, if the response is one.
    let pageLanguage: PageLanguage
    /// A plus sign after the slug: show where the link leads, without following it.
    var showsOnly: Bool
    let peer: Peer
    /// As received, to distinguish visitors.
    let userAgent: [UInt8]
    /// The field in which a trusted proxy sends the visitor's country.
    let countryField: HeaderName?
    /// The properties to record if this is a click.
    var traits: ClickTraits

    /// - Parameter kind: the visitor's system according to the request.
    init(
        _ head: RequestHead, _ bytes: Span<UInt8>, segment: String, from peer: Peer, _ kind: VisitorClass,
        countryField: HeaderName? = nil, countries: Countries? = nil, withReasons: Bool = false
    ) {
        self.peer = peer
        self.countryField = countryField
        userAgent = head.value(.userAgent)?.copy(of: bytes) ?? []
        host = VisitHost.name(head, bytes)
        let opened = OpenedPath(segment)
        showsOnly = opened.showsOnly
        slug = opened.slug
        traits = ClickTraits(head, bytes, from: peer, kind, countryField: countryField, countries: countries)
        visitor = Visitor(kind, withReasons: withReasons)
        if showsOnly { visitor.bot = nil }
        visitor.isHead = head.method == .head
        visitor.isPrefetch = Self.isPrefetch(head)
        visitor.query = head.query?.text(in: bytes)
        visitor.language = VisitDetails.language(head, bytes)
        visitor.referrerHost = VisitDetails.referrerHost(head, bytes)
        visitor.referrerApp = VisitDetails.referrerApp(head, bytes)
        visitor.country = traits.country?.text
        if withReasons {
            let isCountryNamed = VisitDetails.country(countryField, head, bytes, from: peer) != nil
            visitor.why += VisitDetails.why(visitor, isCountryNamed: isCountryNamed)
        }
        pageLanguage = PageLanguage(head, bytes)
        problemFormat = MediaType.prefersJSON(head, bytes) ? .json : .page(pageLanguage)
    }

    /// The same from another country.
    func from(_ country: CountryCode) -> Visit {
        var visit = self
        visit.visitor.country = country.text
        visit.visitor.why.append("the request names the country \(country.text)")
        return visit
    }

    /// The visit of a link of an application that serves Firebase Dynamic Links: there, `d=1` requests the page that
    /// shows where the link leads.
    func adapted(to application: Application) -> Visit {
        guard application.firebase?.isEnabled == true, let query = visitor.query,
            query.split(separator: "&").contains("d=1")
        else { return self }
        var visit = self
        visit.showsOnly = true
        visit.visitor.bot = nil
        return visit
    }

    /// The visit of a shorter slug with a path behind it, in which a plus sign has no meaning.
    func reading(_ reading: OpenedPath.Reading) -> Visit {
        guard !reading.path.isEmpty else { return self }
        var visit = self
        visit.slug = reading.slug
        visit.visitor.opened.path = reading.path
        visit.showsOnly = false
        visit.visitor.bot = traits.kind.bot
        return visit
    }

    /// The visitor's system according to the request, without a cache.
    static func visitorClass(_ head: RequestHead, _ bytes: Span<UInt8>) -> VisitorClass {
        let nothing = 0..<0
        return UserAgent.classify(
            bytes.extracting(head.value(.userAgent)?.indices ?? nothing),
            platformHint: bytes.extracting(head.value(.secChUaPlatform)?.indices ?? nothing),
            mobileHint: bytes.extracting(head.value(.secChUaMobile)?.indices ?? nothing))
    }

    /// The visitor's system according to the request.
    static func visitorClass(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ classes: VisitorClassCache
    ) -> VisitorClass {
        let nothing = 0..<0
        return classes.classify(
            bytes.extracting(head.value(.userAgent)?.indices ?? nothing),
            platformHint: bytes.extracting(head.value(.secChUaPlatform)?.indices ?? nothing),
            mobileHint: bytes.extracting(head.value(.secChUaMobile)?.indices ?? nothing))
    }

    /// Whether the browser prefetches before a click. The fields have no other meaning in practice.
    static func isPrefetch(_ head: RequestHead) -> Bool {
        head.holdsAny(
            of: RequestField.secPurpose.bit | RequestField.purpose.bit | RequestField.xPurpose.bit
                | RequestField.xMoz.bit)
    }

    /// Whether the request says nothing about the visitor's program.
    var isNameless: Bool { userAgent.allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") } }

    /// The same, of a request that is not read whole.
    static func isNameless(_ head: RequestHead, _ bytes: Span<UInt8>) -> Bool {
        guard let value = head.value(.userAgent) else { return true }
        return value.indices.allSatisfy { bytes[$0] == UInt8(ascii: " ") || bytes[$0] == UInt8(ascii: "\t") }
    }

    /// Whether the visit counts as a person's click if it has a destination.
    func counts(atOpenHost: Bool) -> Bool { visitor.bot == nil && isRecorded(atOpenHost: atOpenHost) }

    /// Whether the visit is recorded if it has a destination; programs are recorded as well as people.
    ///
    /// An Apple device that arrives at the `openHost` was already counted: the page that sent it there was its click.
    func isRecorded(atOpenHost: Bool) -> Bool {
        let isReturn = atOpenHost && (visitor.platform.isApple || visitor.mayBeIPad)
        return !visitor.isHead && !visitor.isPrefetch && !isReturn && !showsOnly
    }

    /// The response if no link has the address; counts the visit.
    func unknown(at host: HostName, _ slug: Slug, _ served: [ServedApplication], _ site: Site) -> Response {
        let response = VisitResponse.unknown(served.map(\.application), to: self, at: site)
        if isRecorded(atOpenHost: false), response.status != .tooManyRequests, let application = served.first {
            site.service.unknownVisits?.record(
                "\(host.text)/\(slug.text)", of: application.application.id, at: site.now, isPersons: visitor.bot == nil
            )
        }
        return response
    }

    /// The campaign of the click: the link's own, otherwise the one in the URL if the link forwards such parameters. With
    /// `queryOverride`, the URL's comes first.
    func campaign(_ cached: CachedLink) -> Click.Name? {
        let (link, application) = (cached.link, cached.application.application)
        if let campaign = cached.campaign, !link.overridesQuery(application) { return campaign }
        guard let query = visitor.query, query.utf8.count >= "utm_campaign=".count, link.forwardsQuery(application),
            let named = ClickQuery(query).pairs.first(where: { $0.name == "utm_campaign" })
        else { return cached.campaign }
        return Click.Name(campaign: named.value) ?? cached.campaign
    }
}

/// The host of a visit.
enum VisitHost {
    /// Nil if it is invalid. HTTP/1.0 clients without a host are treated as visitors of `localhost`.
    static func name(_ head: RequestHead, _ bytes: Span<UInt8>) -> HostName? {
        head.host.isEmpty ? HostName("localhost") : HostName(head.host.text(in: bytes))
    }
}
