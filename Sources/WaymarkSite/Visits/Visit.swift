import WaymarkAPI
import WaymarkClicks
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// One `GET` or `HEAD` of a smart link: everything of the request that its answer depends on.
struct Visit: Sendable {
    let host: HostName?
    /// Nil where the path's segment is none.
    let slug: Slug?
    var visitor: Visitor
    let problemFormat: ProblemFormat
    /// Of the page, should the answer be one.
    let pageLanguage: PageLanguage
    /// A plus sign behind the slug: show where the link leads, and go nowhere.
    var showsOnly: Bool
    let peer: Peer
    /// As it came, for telling visitors apart.
    let userAgent: [UInt8]
    /// Where a trusted proxy names the visitor's country.
    let countryField: HeaderName?
    /// What is kept of the click, should there be one.
    let traits: ClickTraits

    /// - Parameter kind: what the visitor's system is, by its own account.
    init(
        _ head: RequestHead, _ bytes: Span<UInt8>, segment: String, from peer: Peer, _ kind: VisitorClass,
        countryField: HeaderName? = nil, countries: Countries? = nil, withReasons: Bool = false
    ) {
        self.peer = peer
        self.countryField = countryField
        userAgent = head.value(.userAgent)?.copy(of: bytes) ?? []
        host = VisitHost.name(head, bytes)
        // No slug ends in a plus sign.
        showsOnly = segment.hasSuffix("+")
        slug = Slug(showsOnly ? String(segment.dropLast()) : segment)
        traits = ClickTraits(head, bytes, from: peer, kind, countryField: countryField, countries: countries)
        visitor = Visitor(kind, withReasons: withReasons)
        if showsOnly { visitor.bot = nil }
        visitor.isHead = head.method == .head
        visitor.isPrefetch = Self.isPrefetch(head)
        visitor.query = head.query?.text(in: bytes)
        visitor.language = VisitDetails.language(head, bytes)
        visitor.referrerHost = VisitDetails.referrerHost(head, bytes)
        visitor.country = traits.country?.text
        if withReasons {
            let isCountryNamed = VisitDetails.country(countryField, head, bytes, from: peer) != nil
            visitor.why += VisitDetails.why(visitor, isCountryNamed: isCountryNamed)
        }
        pageLanguage = PageLanguage(head, bytes)
        problemFormat = MediaType.prefersJSON(head, bytes) ? .json : .page(pageLanguage)
    }

    /// The visit of a link for an application that serves Firebase Dynamic Links: there `d=1` asks for the page that
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

    /// What the visitor's system is, without the help of visits before.
    static func visitorClass(_ head: RequestHead, _ bytes: Span<UInt8>) -> VisitorClass {
        let nothing = 0..<0
        return UserAgent.classify(
            bytes.extracting(head.value(.userAgent)?.indices ?? nothing),
            platformHint: bytes.extracting(head.value(.secChUaPlatform)?.indices ?? nothing),
            mobileHint: bytes.extracting(head.value(.secChUaMobile)?.indices ?? nothing))
    }

    /// What the visitor's system is, by its own account.
    static func visitorClass(
        _ head: RequestHead, _ bytes: Span<UInt8>, _ classes: VisitorClassCache
    ) -> VisitorClass {
        let nothing = 0..<0
        return classes.classify(
            bytes.extracting(head.value(.userAgent)?.indices ?? nothing),
            platformHint: bytes.extracting(head.value(.secChUaPlatform)?.indices ?? nothing),
            mobileHint: bytes.extracting(head.value(.secChUaMobile)?.indices ?? nothing))
    }

    /// Whether the browser asks before anyone has clicked. The fields stand for nothing else in practice.
    static func isPrefetch(_ head: RequestHead) -> Bool {
        head.holdsAny(
            of: RequestField.secPurpose.bit | RequestField.purpose.bit | RequestField.xPurpose.bit
                | RequestField.xMoz.bit)
    }

    /// Whether the visit counts as a person's click, should it lead anywhere.
    func counts(atOpenHost: Bool) -> Bool { visitor.bot == nil && isRecorded(atOpenHost: atOpenHost) }

    /// Whether a record of the visit is kept, should it lead anywhere; that of programs beside that of people.
    ///
    /// An Apple device that arrives at the `openHost` has counted already: the page that sent it there was its click.
    func isRecorded(atOpenHost: Bool) -> Bool {
        let isReturn = atOpenHost && (visitor.platform.isApple || visitor.mayBeIPad)
        return !visitor.isHead && !visitor.isPrefetch && !isReturn && !showsOnly
    }

    /// The campaign that the click belongs to: the link's own, else what its URL says where such parameters are passed on.
    func campaign(_ cached: CachedLink) -> Click.Name? {
        if let campaign = cached.campaign { return campaign }
        guard let query = visitor.query, query.utf8.count >= "utm_campaign=".count,
            cached.link.content.forwardQuery ?? cached.application.application.forwardQuery,
            let named = ClickQuery(query).pairs.first(where: { $0.name == "utm_campaign" }),
            !named.value.isEmpty, named.value.utf8.count <= 256
        else { return nil }
        return Click.Name(named.value)
    }
}
