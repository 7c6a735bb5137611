import WaymarkAPI
internal import WaymarkJSON
package import WaymarkLinks
import WaymarkStores

/// Checks rows against the application that they are imported into.
package struct ImportPreparation: Sendable {
    private let application: Application
    /// Those that the application's links can stand on.
    private let domains: [HostName]
    private let firebaseIdentities: FirebaseSettings?
    private let smartlinkHosts: SmartlinkHosts?
    private let domain: HostName?
    private let sha256: @Sendable ([UInt8]) -> [UInt8]

    /// - Parameter domain: Where links go whose own domain is not one of `domains`, or that name none; nil: such links are
    ///   refused, but those that name none go to the only domain there is.
    package init(
        _ application: Application, domains: [HostName], firebaseIdentities: FirebaseSettings? = nil,
        smartlinkHosts: SmartlinkHosts?, domain: HostName?,
        sha256: @escaping @Sendable ([UInt8]) -> [UInt8]
    ) {
        self.application = application
        self.domains = domains
        self.firebaseIdentities = firebaseIdentities
        self.smartlinkHosts = smartlinkHosts
        self.domain = domain
        self.sha256 = sha256
    }

    package func prepare(_ source: SourceRow) -> PreparedRow {
        var foreign = source.link
        foreign.normalizeAddresses()
        // A longer one is no slug, and would be in the report.
        var row = PreparedRow(row: source.number, slug: foreign.address.slug.excerpt(200))
        row.notes = foreign.notes
        if let refusal = foreign.refusal {
            row.refuse(.refused, refusal)
            return row
        }
        if foreign.address.slug.isEmpty, let first = foreign.aliases.first(where: { host(of: $0) != nil }) {
            foreign.address = first
            row.slug = first.slug.excerpt(200)
        }
        guard let host = place(&foreign, &row) else {
            row.refuse(.refused, problem(with: foreign.address))
            return row
        }
        row.smartlink = application.address(on: host) + "/"
        row.smartlink += row.slug
        var problems: [String] = []
        var origin = LinkOrigin(firebase: foreign.storedFirebase)
        var draft = foreign.draft(for: application, firebaseIdentities, &origin, &problems, &row.notes)
        guard problems.isEmpty else {
            row.refuse(.refused, problems.joined(separator: "; "))
            return row
        }
        row.lacksPassword = foreign.hasPassword && draft.password == nil
        if let clicks = foreign.importedClicks, clicks > 0 { origin.importedClicks = clicks }
        draft.slug = foreign.address.slug.isEmpty ? nil : foreign.address.slug
        var validated = draft.validateForStorage(for: application, notInto: smartlinkHosts, from: origin)
        // Each time at least one rule less. Coverage is only looked at where all of them are valid.
        while case .invalid(let found) = validated, foreign.hasConvertedRules,
            leaveOutRules(with: found, of: &draft, &row.notes)
        {
            validated = draft.validateForStorage(for: application, notInto: smartlinkHosts, from: origin)
        }
        switch validated {
        case .invalid(let found):
            row.refuse(
                .refused,
                found.prefix(10).map { $0.field.isEmpty ? $0.problem : "\($0.field) \($0.problem)" }
                    .joined(separator: "; "))
        case .valid(let link): add(link, host, foreign, to: &row)
        }
        return row
    }

    private func add(_ link: ValidLink, _ host: HostName, _ foreign: ForeignLink, to row: inout PreparedRow) {
        let content = link.content
        let created = foreign.createdAt ?? Timestamp(rawValue: 0)
        // Without a slug of its own a row is known again by what it says.
        let identity =
            link.slug == nil
            ? sha256(Array("import \(application.id.text) \(host.text) ".utf8) + LinkContentCodec.encode(content)) : nil
        let new = NewLink(
            application: application.id, domain: host, slug: link.slug, content: content, metadata: link.metadata,
            password: link.password, identity: identity, createdAt: created)
        row.link = new
        if let slug = link.slug {
            let isAtHome = foreign.address.domain.map(isOwn) ?? false
            row.add(LinkAddress(domain: host, slug: slug), application.address(on: host), isMoved: !isAtHome)
        }
        guard foreign.aliases.count <= LinkLimits.aliases else {
            return row.refuse(
                .refused, "it has more than \(LinkLimits.aliases) further slugs; give each further one a row of its own"
            )
        }
        for alias in foreign.aliases where alias.slug != foreign.address.slug || alias.domain != foreign.address.domain
        {
            guard let host = self.host(of: alias) else {
                row.notes.append("\(alias.text) was left out: " + problem(with: alias))
                continue
            }
            guard let slug = Slug(alias.slug) else {
                let problem = Slug.problem(of: alias.slug)?.rawValue ?? "is not a valid slug"
                return row.refuse(.refused, "the alias \"\(alias.slug.excerpt(130))\" \(problem)")
            }
            guard application.slugRules.permit(slug) else {
                return row.refuse(.refused, "the alias \"\(slug.text)\" is an address of the service's own calls")
            }
            let isAtHome = alias.domain.map(isOwn) ?? false
            row.add(LinkAddress(domain: host, slug: slug), application.address(on: host), isMoved: !isAtHome)
        }
    }

    /// Where a link goes. Where its own address has no place, the first further one that has takes it.
    private func place(_ foreign: inout ForeignLink, _ row: inout PreparedRow) -> HostName? {
        if let host = host(of: foreign.address) {
            if let own = foreign.address.domain, !isOwn(own) {
                row.notes.append("its domain was \(own.excerpt(260))")
            }
            return host
        }
        guard let alias = foreign.aliases.first(where: { host(of: $0) != nil }) else { return nil }
        row.notes.append("\(foreign.address.text) was left out: " + problem(with: foreign.address))
        foreign.address = alias
        row.slug = alias.slug.excerpt(200)
        return host(of: alias)
    }

    /// A link on another service's domain never takes the slug of one on the application's own.
    private func host(of address: ForeignLink.Address) -> HostName? {
        guard let named = address.domain else { return domain ?? (domains.count == 1 ? domains.first : nil) }
        return HostName(named).flatMap { domains.contains($0) ? $0 : nil } ?? domain
    }

    /// Whether links of other domains are moved to one of the application's.
    var movesLinks: Bool { domain != nil }

    /// A slug as it is looked up.
    func key(of slug: Slug) -> String { application.slugRules.contains(.ignoreCase) ? slug.caseFolded : slug.text }

    /// Settings of the service that links can't have, and that the application does not have either, one sentence each.
    package func notes(about service: ForeignService) -> [String] {
        guard service.ignoresCase, !application.slugRules.contains(.ignoreCase) else { return [] }
        return [
            "\(service.rawValue) looks links up without regard to case, if it is not set otherwise, and this application does not: "
                + "set its slugCase to insensitive"
        ]
    }

    /// Removes the rules that have problems, with a note on each.
    ///
    /// - Returns: Whether there were any.
    private func leaveOutRules(
        with problems: [FieldProblem], of draft: inout LinkRequest, _ notes: inout [String]
    ) -> Bool {
        var reasons: [Int: String] = [:]
        for problem in problems where problem.field.hasPrefix("rules[") {
            let path = problem.field.dropFirst("rules[".count)
            let number = path.prefix { $0 != "]" }
            guard let index = Int(number), draft.rules.indices.contains(index), reasons[index] == nil else { continue }
            let field = path.dropFirst(number.count + 1).drop { $0 == "." }
            reasons[index] = field.isEmpty ? problem.problem : "\(field) \(problem.problem)"
        }
        for (index, reason) in reasons.sorted(by: { $0.key < $1.key }) {
            let rule = draft.rules[index]
            let url =
                switch rule.to {
                case .url(let url): url
                case .urls(let urls): urls.values.first?.link ?? ""
                }
            notes.append("a rule to \(url.excerpt(200)) was left out: \(reason)")
        }
        for index in reasons.keys.sorted(by: >) { draft.rules.remove(at: index) }
        return !reasons.isEmpty
    }

    private func isOwn(_ name: String) -> Bool { HostName(name).map(domains.contains) ?? false }

    private func problem(with address: ForeignLink.Address) -> String {
        guard let name = address.domain else {
            return "it names no domain, and the application has several; use --domain"
        }
        return "\(name.excerpt(260)) is not one of the application's domains; use --domain"
    }
}

extension URLEntryRequest {
    /// Without variables.
    fileprivate var literal: URLEntryRequest { URLEntryRequest(FirebaseLinkDraft.literal(link), fallback: fallback) }
}

extension ForeignLink.Address {
    fileprivate var text: String { "\((domain ?? "").excerpt(260))/\(slug.excerpt(130))" }
}

extension ForeignLink {
    /// The draft, once it is known whose link it becomes.
    fileprivate func draft(
        for application: Application, _ identities: FirebaseSettings?, _ origin: inout LinkOrigin,
        _ problems: inout [String], _ notes: inout [String]
    ) -> LinkRequest {
        var draft = self.draft
        if !firebase.isEmpty {
            let read = FirebaseLinkDraft(
                FirebaseParameters(firebase), for: application, onlyOwnHosts: false, identities: identities)
            problems += read.problems.map { "\($0.field) \($0.problem)" }
            notes += read.warnings.map(\.message)
            draft.urls = read.draft.urls
            draft.social = read.draft.social
            draft.campaign = read.draft.campaign
            draft.minimumVersion = read.draft.minimumVersion
            origin.firebase = read.origin.firebase
            for platform in ["ios", "ipad"] {
                guard let entry = draft.urls[platform], !Self.opens(entry.link, application) else { continue }
                // Without a scheme no button can open the app: the page or the store takes its place.
                let store = firebase[.isi].map { "https://apps.apple.com/app/id\($0)" }
                let page = entry.fallback == "store" ? store : entry.fallback
                draft.urls[platform] = URLEntryRequest(
                    FirebaseLinkDraft.literal(page ?? firebase[.link] ?? ""))
                notes.append("the application has no ios.urlScheme to open the app with on \(platform)")
            }
        }
        if let branch {
            let read = BranchLinkDraft(branch, for: application, onlyOwnHosts: false)
            problems += read.problems.map { "\($0.field) \($0.problem)" }
            notes += read.notes
            draft.urls = read.draft.urls
            draft.rules = read.draft.rules
            draft.social = read.draft.social
            draft.campaign = read.draft.campaign
        }
        if draft.routeParameters.isEmpty, draft.route == nil, firebase.isEmpty, branch == nil {
            // A colon of another service is no variable.
            draft.urls = draft.urls.mapValues(\.literal)
            for index in draft.rules.indices {
                switch draft.rules[index].to {
                case .url(let url): draft.rules[index].to = .url(FirebaseLinkDraft.literal(url))
                case .urls(let urls): draft.rules[index].to = .urls(urls.mapValues(\.literal))
                }
            }
        }
        keepSettings(&draft, application, &notes)
        finish(&draft)
        return draft
    }

    private static func opens(_ link: String, _ application: Application) -> Bool {
        guard let pattern = URLPattern(link) else { return true }
        return pattern.isWeb || application.allowedSchemes.contains(pattern.scheme)
    }

    private func finish(_ draft: inout LinkRequest) {
        if isArchived, !draft.tags.contains("archived") { draft.tags.append("archived") }
        if !metadata.isEmpty { draft.metadata = RawJSON(unchecked: JSONValue(metadata).bytes()) }
    }
}
