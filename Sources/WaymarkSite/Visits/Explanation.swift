package import WaymarkAPI
import WaymarkAssociation
package import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService

/// Explains how a hypothetical visit would be answered, without counting, reserving or recording anything.
///
/// It shares the decision (`VisitEvaluation`) and the response (`VisitResponse`) with real visits, so that they can't
/// disagree.
struct Explanation: Sendable {
    let site: Site
    let visit: Visit
    let now: Timestamp
    /// Only links of this application are visible; nil: all.
    let asker: ApplicationReach
    let url: WebURL
    /// As in `ExplainRequest`.
    let variant: String??
    /// That of then, for a time that is past.
    var former: ServedApplication?

    func answer() async throws -> ExplainResponse {
        if let query = visit.visitor.query, ClickQuery.holdsControlCharacters(query) {
            return nothing(VisitResponse.badQuery(as: visit.problemFormat), "the query holds control characters")
        }
        guard let host = visit.host else { return unknownHost }
        let isSlug = url.isLongLink ? try await site.service.isSlug(url) : false
        switch isSlug ? .notServed : site.service.longLink(at: host, path: url.path, query: url.query ?? "") {
        case .notServed: break
        case .invalid(let served, let problems):
            guard asker.contains(served.id) else { return unknown([]) }
            return nothing(
                LongLinkVisit.invalid(problems, as: visit.problemFormat),
                problems.first.map { "parameter \($0.field) \($0.problem)" } ?? "the long link is not valid")
        case .found(let cached, let query):
            guard asker.contains(cached.link.application) else { return unknown([]) }
            let visit = LongLinkVisit.visit(visit, of: query)
            let known = try await site.service.state(of: cached, at: now, now: site.now) ?? cached
            return try await Explanation(
                site: site, visit: visit, now: now, asker: asker, url: url, variant: variant, former: known.application
            ).found(known, atOpenHost: false)
        }
        var visit = visit
        let path = OpenedPath.Target(url.path.dropFirst())
        if let reading = try await site.service.locate(path, at: host) { visit = visit.reading(reading) }
        visit.visitor.opened.fragment = url.fragment
        guard let slug = visit.slug else {
            let directory = site.service.applications.directory.current
            guard directory.lookup(at: host) != nil else { return unknownHost }
            return unknown(directory.applications(at: host))
        }
        switch try await site.service.load(at: host, slug: slug) {
        case .unknownHost: return unknownHost
        case .unknownSlug(let served): return unknown(served)
        case .found(let cached, let atOpenHost):
            guard asker.contains(cached.link.application) else { return unknown([]) }
            guard let known = try await site.service.state(of: cached, at: now, now: site.now),
                known.hadAddress(with: slug)
            else { return unknown([cached.application]) }
            let visit = visit.adapted(to: known.application.application)
            return try await Explanation(
                site: site, visit: visit, now: now, asker: asker, url: url, variant: variant, former: known.application
            ).found(known, atOpenHost: atOpenHost)
        }
    }

    private func found(_ cached: CachedLink, atOpenHost: Bool) async throws -> ExplainResponse {
        let isExhausted = try await isExhausted(cached)
        var question = VisitEvaluation(visit, cached, atOpenHost: atOpenHost, site.service)
        if let variant { question.visitor.number = try number(of: variant, question) }
        var (decision, candidates) = question.explanation(at: now)
        var rule = decision.rule
        if case .locked = decision.resolution {
            // Where the link leads once the password is right.
            var opened = question
            opened.visitor.password = cached.link.content.password
            let (further, considered) = opened.explanation(at: now)
            (rule, candidates) = (further.rule, considered)
        }
        // Like a click that the limit rejects.
        if decision.counts, isExhausted {
            decision = VisitDecision(.exhausted, mayCount: true, spendsLimit: true, isRecorded: true)
            candidates = []
        }
        let shown = isExhausted ? cached.exhaustedLink : cached.link
        let response = VisitResponse.response(decision.resolution, of: question, to: visit, at: now)
        let isLed = decision.resolution.leadsSomewhere && !visit.showsOnly
        let leadsTo = isLed ? question.target(at: now) : response.location
        return answer(
            ExplainResponse.Location(
                domain: shown.domain.text, slug: shown.id == .unstored ? "" : shown.slug.text,
                state: shown.state(at: now).rawValue),
            decision.resolution.outcome(showsOnly: visit.showsOnly), leadsTo: leadsTo,
            rule: rule?.text(question.link, question.application),
            isVariant: rule?.isVariant(question.link, question.application) == true, candidates, response,
            ExplainResponse.Click(
                counted: decision.counts,
                why: decision.counts ? "a person's GET" : reason(decision.resolution, atOpenHost: atOpenHost)))
    }

    /// That of a visitor of the variant.
    ///
    /// - Throws: `Problem` if no rule has this name and a percentage.
    private func number(of variant: String?, _ question: VisitEvaluation) throws(Problem) -> UInt64 {
        var visitor = question.visitor
        // Where the link leads once the password is right.
        visitor.password = question.link.content.password
        if let number = question.link.number(of: variant, question.application, visitor, at: now) { return number }
        throw Problem(invalid: [
            FieldProblem(
                field: "variant",
                problem: "is not the name of a rule with a percentage, of the link or of its application")
        ])
    }

    /// Based on the clicks in the store, and on what this server knows about clicks reserved by others.
    private func isExhausted(_ cached: CachedLink) async throws -> Bool {
        // How many clicks there were at a time that is past is not known.
        guard let quota = cached.quota, now >= site.now else { return false }
        if quota.isExhausted { return true }
        try await site.service.clicks.flush()
        let stored = try await site.service.find(cached.link.domain, cached.link.slug, for: .all)
        return stored?.isExhausted ?? false
    }

    /// Why the visit is not counted.
    private func reason(_ resolution: Resolution, atOpenHost: Bool) -> String {
        let visitor = visit.visitor
        if case .locked = resolution { return "a click counts once the password was right" }
        if visit.showsOnly { return "the page only shows where the link leads" }
        if let bot = visitor.bot { return "a crawler or program (\(bot.rawValue)) is nobody's click" }
        if visitor.isPrefetch { return "a prefetch is nobody's click" }
        if !resolution.leadsSomewhere { return "the link leads nowhere now" }
        return "the click was counted where the visitor comes from"
    }

    // MARK: Without a link

    private var unknownHost: ExplainResponse {
        nothing(VisitResponse.unknownHost(as: visit.problemFormat), "no application serves this host")
    }

    private func unknown(_ served: [ServedApplication]) -> ExplainResponse {
        let applications = served.map(\.application).filter { asker.contains($0.id) }
        return nothing(
            VisitResponse.unknown(applications, to: visit, sha256: site.service.dependencies.sha256),
            "no link stands there")
    }

    private func nothing(_ response: Response, _ why: String) -> ExplainResponse {
        answer(
            nil, "notFound", leadsTo: response.location, rule: nil, isVariant: false, [], response,
            ExplainResponse.Click(counted: false, why: why))
    }

    private func answer(
        _ link: ExplainResponse.Location?, _ outcome: String, leadsTo: String?, rule: String?, isVariant: Bool,
        _ candidates: [Candidate], _ response: Response, _ click: ExplainResponse.Click
    ) -> ExplainResponse {
        ExplainResponse(
            link: link, visitor: ExplainResponse.Visitor(visit.visitor), association: association, outcome: outcome,
            leadsTo: leadsTo, rule: rule, variant: variant.map { _ in isVariant ? rule : nil },
            candidates: candidates.map {
                ExplainResponse.Candidate(source: $0.source, url: $0.url, taken: $0.taken, why: $0.why)
            },
            status: Int(response.status.code), headers: response.fields.lines, click: click)
    }
}

extension Explanation {
    /// The file that the host serves, held against the URL; nil for visitors that no association file is for.
    private var association: ExplainResponse.Association? {
        let kind: AssociationKind
        switch visit.visitor.platform {
        case .iphone, .ipad, .ios: kind = .apple
        case .android: kind = .assetLinks
        default: return nil
        }
        if let bot = visit.visitor.bot {
            return ExplainResponse.Association(
                opens: nil, rule: nil, why: "a crawler or program (\(bot.rawValue)) has no apps")
        }
        guard let file = site.associationFile(kind, at: url.host?.text ?? "", of: now < site.now ? former : nil) else {
            return ExplainResponse.Association(
                opens: nil, rule: nil, why: "the host has no \(kind.rawValue), so no app is associated with it")
        }
        let opening = LinkOpening(of: url.text, by: file, kind)
        return ExplainResponse.Association(opens: opening.opens, rule: opening.rule, why: opening.why)
    }
}

extension ExplainResponse.Visitor {
    init(_ visitor: Visitor) {
        self.init(
            platform: visitor.platform.rawValue, device: visitor.device.rawValue, browser: visitor.browser,
            inApp: visitor.inApp?.rawValue, bot: visitor.bot?.rawValue, prefetch: visitor.isPrefetch,
            // The language without the region, which is part of the reasons.
            language: visitor.language.map { String($0.prefix { $0 != "-" }).lowercased() }, country: visitor.country,
            why: visitor.why)
    }
}

extension Resolution {
    /// The outcome in the terms of an explanation.
    func outcome(showsOnly: Bool) -> String {
        switch self {
        case _ where showsOnly && leadsSomewhere: "page"
        case .redirect(let destination):
            switch destination.kind {
            case .web: "redirect"
            case .store: "store"
            case .intent: "openApp"
            }
        case .openApp: "openApp"
        case .distinguishMac, .scan, .locked: "page"
        case .preview: "preview"
        case .disabled, .expired, .exhausted: "gone"
        case .scheduled: "scheduled"
        case .nowhere: "notFound"
        }
    }
}

extension Response {
    /// Where it redirects.
    fileprivate var location: String? { fields.lines.first { $0.name == "Location" }?.value }
}

extension HeaderFields {
    /// Its lines, with repeated names joined to one list (RFC 9110 section 5.3).
    package var lines: [ExplainResponse.Header] {
        var lines: [ExplainResponse.Header] = []
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            guard let colon = line.firstIndex(of: UInt8(ascii: ":")) else { continue }
            let name = String(decoding: line[..<colon], as: UTF8.self)
            let value = String(decoding: line[(colon + 1)...].drop { $0 == 0x20 }.prefix { $0 != 0x0D }, as: UTF8.self)
            if let location = lines.firstIndex(where: { $0.name.lowercased() == name.lowercased() }) {
                lines[location].value += ", " + value
            } else {
                lines.append(ExplainResponse.Header(name: name, value: value))
            }
        }
        return lines
    }
}
