import WaymarkAPI
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// Validates a body of a new link: its shape, its meaning for its application, and the key's permissions.
struct LinkAdmission {
    let key: KeyIdentity
    /// The applications that the caller may create links of.
    private let reach: ApplicationReach
    let directory: ApplicationDirectory
    let sha256: @Sendable ([UInt8]) -> [UInt8]

    init(_ call: Call, _ site: Site) { self.init(call.key, call.reach, site) }

    init(_ key: KeyIdentity, _ reach: ApplicationReach, _ site: Site) {
        self.key = key
        self.reach = reach
        directory = site.service.applications.directory.current
        sha256 = site.service.dependencies.sha256
    }

    /// A valid new link, and its application.
    struct Admitted {
        let creation: NewLink
        let application: ServedApplication
    }

    /// - Parameter document: parsed with the shape of a link.
    func admit(_ document: JSONDocument) throws(Problem) -> Admitted {
        let (body, shape) = LinkRequest.attempt(document)
        guard let body else { throw Problem(invalid: shape) }
        return try admit(body, noting: shape)
    }

    /// - Parameter shape: problems found while parsing the body.
    func admit(_ body: LinkRequest, noting shape: [FieldProblem] = []) throws(Problem) -> Admitted {
        let application: ServedApplication
        switch try owner(body.app) {
        case .application(let found): application = found
        case .invalid(let problem):
            var meaning = [problem]
            if case .invalid(let others) = body.validateForStorage(for: nil) {
                meaning += others
            }
            throw Problem(invalid: FieldProblem.merged(shape: shape, meaning: meaning))
        }
        try checkReach(of: body, in: application.application)
        let domain = application.domain(given: body.domain.flatMap { HostName($0) })
        let foreign = FieldProblem(field: "domain", problem: "is not a domain of the application")
        switch body.validateForStorage(for: application.application, notInto: directory.smartlinkHosts) {
        case .invalid(let problems):
            var meaning = problems
            if domain == nil, !meaning.contains(where: { $0.field == foreign.field }) { meaning.insert(foreign, at: 0) }
            throw Problem(invalid: FieldProblem.merged(shape: shape, meaning: meaning))
        case .valid(let link):
            guard let domain else { throw Problem(invalid: FieldProblem.merged(shape: shape, meaning: [foreign])) }
            guard shape.isEmpty else { throw Problem(invalid: shape) }
            return Admitted(creation: creation(link, application, domain: domain), application: application)
        }
    }

    enum Owner {
        case application(ServedApplication)
        case invalid(FieldProblem)
    }

    /// The application that a body names.
    func owner(_ given: String?) throws(Problem) -> Owner {
        guard let given else {
            if let own = reach.single {
                return directory.application(own).map(Owner.application)
                    ?? .invalid(FieldProblem(field: "app", problem: "is not a known application any more"))
            }
            if let only = directory.only, reach.contains(only.id) { return .application(only) }
            return .invalid(
                FieldProblem(
                    field: "app",
                    problem: directory.applications.isEmpty
                        ? "is missing, and there is no application; make one with PUT /api/v1/apps/{id}"
                        : "is missing; it can be left out only where there is one application"))
        }
        let id = ApplicationID(given)
        if !reach.isAll, !(id.map(reach.contains) ?? false) {
            throw Problem(.applicationForbidden, "This key can create links of its own application only.")
        }
        guard let application = id.flatMap({ directory.application($0) }) else {
            return .invalid(FieldProblem(field: "app", problem: "is not a known application"))
        }
        return .application(application)
    }

    private func creation(
        _ link: ValidLink, _ application: ServedApplication, domain: HostName
    ) -> NewLink {
        let identity =
            link.unique ? sha256(LinkRequest.identity(of: link, application: application.id, domain: domain)) : nil
        return NewLink(
            application: application.id, domain: domain, slug: link.slug, content: link.content,
            metadata: link.metadata, password: link.password, identity: identity)
    }

    // MARK: Keys in apps

    /// A key with only the scope `create` can be extracted from the app that ships it. Its holder must not be able to
    /// choose slugs or arbitrary destinations.
    private func checkReach(of body: LinkRequest, in application: Application) throws(Problem) {
        guard !key.may(.links, in: application.id) else { return }
        guard body.slug == nil else {
            throw Problem(.scopeMissing, "Choosing a slug needs the scope links.")
        }
        if let route = body.route, !application.templates.contains(where: { $0.route.text == route }) {
            throw Problem(
                .scopeMissing,
                "No template has the route \(route): add one to the application. A key with the scope links needs none."
            )
        }
        // Others fetch the image of a preview and show it with the brand's name; its texts are the app's own, as in a
        // link that a person shares.
        if let image = body.social?.imageURL.flatMap({ WebURL($0) }),
            image.host.map(application.isOwnDestination) != true
        {
            throw Problem(.scopeMissing, Self.foreignHost("picture"))
        }
        let schemes = application.allowedSchemes
        for entry in Array(body.urls.values) + body.rules.flatMap(\.destinations) {
            let destinations = [entry.link] + [entry.fallback].compactMap { $0 }.filter { $0 != "store" && $0 != "web" }
            for destination in destinations {
                // Invalid URLs are left to the validation, which names the field.
                guard let pattern = URLPattern(destination) else { continue }
                let isAllowed =
                    pattern.isWeb
                    ? Self.host(of: pattern).map(application.isOwnDestination) ?? false
                    : schemes.contains(pattern.scheme)
                guard isAllowed else {
                    throw Problem(.scopeMissing, Self.foreignHost("destination"))
                }
            }
        }
    }

    private static func foreignHost(_ what: String) -> String {
        """
        The \(what) is on a host or has a scheme that is not the application's: add the host to its \
        destinations.allowedHosts, or the scheme to its schemes. A key with the scope links may lead anywhere.
        """
    }

    private static func host(of pattern: URLPattern) -> HostName? { WebURL(pattern.text)?.host }
}

extension LinkRequest {
    /// The canonical text of equal links, for `unique`: members in a fixed order, times in UTC, and missing members
    /// equal to their defaults.
    fileprivate static func identity(
        of link: ValidLink, application: ApplicationID, domain: HostName
    ) -> [UInt8] {
        var body = LinkRequest(link.content, metadata: link.metadata)
        body.app = application.text
        body.domain = domain.text
        body.slug = link.slug?.text
        // The metadata was parsed as JSON, so this text is valid JSON.
        return (try? JSONValue(parsing: body.json))?.canonicalBytes ?? body.json
    }
}

extension RuleRequest {
    /// All URLs that the rule may lead to.
    fileprivate var destinations: [URLEntryRequest] {
        switch to {
        case .url(let url): [URLEntryRequest(url)]
        case .urls(let urls): Array(urls.values)
        }
    }
}
