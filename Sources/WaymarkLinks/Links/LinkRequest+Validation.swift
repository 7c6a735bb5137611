package import WaymarkAPI

/// What no request says of a link: where it comes from.
package struct LinkOrigin: Sendable, Equatable {
    /// The parameters of a Firebase Dynamic Link.
    package var firebase: FirebaseParameters?
    /// What another service counted.
    package var importedClicks: Int?

    package init(firebase: FirebaseParameters? = nil, importedClicks: Int? = nil) {
        self.firebase = firebase
        self.importedClicks = importedClicks
    }
}

/// A valid request: everything that a new link needs, except the slug and the domain if they were not given.
package struct ValidLink: Sendable, Equatable {
    /// One of the application's domains; nil if the draft has none.
    package var domain: HostName?
    package var slug: Slug?
    package var content: LinkContent
    package var metadata: [UInt8]?
    /// As given, to be hashed.
    package var password: String?
    package var unique: Bool
}

/// The limits of a link, which keep responses, pages and headers small.
package enum LinkLimits {
    /// Metadata as sent, in bytes.
    package static let metadata = 16 * 1024
    /// Everything else as stored, in bytes.
    package static let content = 64 * 1024
    package static let tags = 16
    package static let aliases = 20
    /// One tag, in bytes.
    package static let tag = 128
    /// The value of one route parameter, in bytes.
    package static let routeParameter = 512
    package static let queryParameters = 50
    /// The name of one query parameter, in bytes.
    package static let queryName = 128
    /// All names and values in bytes, so that `Location` stays below the limits of proxies.
    package static let queryBytes = 2048
    /// The title of the social card, in bytes.
    package static let title = 300
    /// The description of the social card, in bytes.
    package static let description = 2000
    /// One campaign parameter, in bytes.
    package static let campaign = 255
}

extension LinkRequest {
    /// Validates everything and reports all problems.
    ///
    /// Not checked here: whether `app` is a known application, whether the slug is free, and the size as stored
    /// (`validateForStorage` in WaymarkStores).
    ///
    /// - Parameters:
    ///   - application: nil skips checks that depend on one.
    ///   - smartlinkHosts: the hosts that links must not lead back to; nil skips this check.
    package func validate(
        for application: Application?, notInto smartlinkHosts: SmartlinkHosts? = nil,
        from origin: LinkOrigin = LinkOrigin()
    ) -> Validated<ValidLink> {
        var problems = ProblemList()
        let check = DestinationCheck(policy: application?.destinations, smartlinkHosts: smartlinkHosts)
        let domain = validDomain(application, &problems)
        let slug = validSlug(application, &problems)
        let (route, template) = validRoute(application, &problems)
        if self.route == nil, urls.isEmpty {
            problems.add("route", "is missing, and urls too: a link needs one of them")
        }
        if application != nil, route != nil, urls.isEmpty, template == nil {
            problems.add("route", "is not a template of the application, and the link has no urls")
        }
        let given = validURLs(application, route, &problems)
        check.note(given, at: "urls", with: routeParameters, &problems)
        if let template { checkTemplate(template, given, check, &problems) }
        let (start, end) = validTimes(&problems)
        let rules =
            self.rules.isEmpty
            ? []
            : self.rules.validate(
                schemes: application?.allowedSchemes, variables: nil, from: start, until: end, check,
                with: routeParameters, &problems)
        checkParameters(route, given, rules, &problems)
        checkQueryParameters(&problems)
        // A link without any destination was already reported with the route.
        if let application, urls["web"] == nil, !urls.isEmpty || template != nil, template?.urls[.web] == nil {
            checkWebBase(application, route, check, &problems)
        }
        if let metadata, metadata.bytes.count > LinkLimits.metadata {
            problems.add("metadata", "is longer than \(LinkLimits.metadata) bytes")
        }
        if let redeemLimit, redeemLimit < 0 { problems.add("redeemLimit", "must be 0 or more") }
        if let maxClicks, maxClicks < 1 { problems.add("maxClicks", "must be 1 or more, or null") }
        if let redirectStatus, !ApplicationRequest.redirectStatuses.contains(redirectStatus) {
            problems.add("redirectStatus", "must be 301, 302, 307 or 308")
        }
        let detail = clickDetail.flatMap { ClickDetail(rawValue: $0) }
        if clickDetail != nil, detail == nil { problems.add("clickDetail", ClickDetail.rule) }
        if let password, let problem = LinkPassword.problem(of: password) { problems.add("password", problem) }
        // Its identity would be a hash of the password that is quickly guessed.
        if password != nil, unique == true { problems.add("unique", "must not be true for a link with a password") }
        let expired = onExpired.flatMap { problems.take("onExpired", WebURL.check($0)) }
        check.note(expired, at: "onExpired", &problems)
        let card = validSocial(&problems)
        let versions = validVersions(&problems)
        campaign?.validate("campaign", &problems)
        checkTags(&problems)
        for entry in labels.entries { problems.label(entry.label, entry.value) }
        guard problems.isEmpty else { return .invalid(problems.entries) }
        let content = LinkContent(
            route: route, routeParameters: routeParameters, queryParameters: queryParameters, urls: given,
            redeemLimit: redeemLimit ?? 0, validFrom: start, expiresAt: end, maxClicks: maxClicks, social: card,
            campaign: campaign, tags: tags, labels: labels.composed, forwardQuery: forwardQuery,
            queryOverride: queryOverride, redirectStatus: redirectStatus, onExpired: expired,
            clickDetail: detail, disabled: disabled ?? false, rules: rules, minimumVersions: versions,
            firebase: origin.firebase, importedClicks: origin.importedClicks)
        return .valid(
            ValidLink(
                domain: domain, slug: slug, content: content, metadata: metadata?.bytes, password: password,
                unique: unique ?? false))
    }

    // MARK: Address

    private func validDomain(_ application: Application?, _ problems: inout ProblemList) -> HostName? {
        guard let domain, let host = problems.take("domain", HostName.check(domain)) else { return nil }
        if let application, !application.domains.isEmpty, !application.domains.contains(host) {
            problems.add("domain", "is not a domain of the application")
        }
        return host
    }

    private func validSlug(_ application: Application?, _ problems: inout ProblemList) -> Slug? {
        guard let slug else { return nil }
        if let problem = Slug.problem(of: slug) { problems.add("slug", problem.rawValue) }
        let valid = Slug(slug)
        if let valid, application?.slugRules.permit(valid) == false {
            problems.add("slug", Slug.Problem.reserved.rawValue)
        }
        return valid
    }

    // MARK: Destinations

    private func validRoute(
        _ application: Application?, _ problems: inout ProblemList
    ) -> (route: Route?, template: Template?) {
        guard let route else { return (nil, nil) }
        // A template's route was validated with its application.
        if let template = application?.template(for: route) { return (template.route, template) }
        let checked = problems.take("route", Route.check(route))
        return (checked, checked.flatMap { application?.template(for: $0) })
    }

    private func validURLs(
        _ application: Application?, _ route: Route?, _ problems: inout ProblemList
    ) -> PlatformURLs {
        if urls.isEmpty { return [:] }
        let given = URLEntryRules(schemes: application?.allowedSchemes, variables: nil)
            .read(urls, at: "urls", noting: &problems)
        // A misplaced variable is distinguished from an ordinary colon by its name.
        let names = Set(routeParameters.keys).union(route?.variables ?? [])
        for (platform, entry) in given.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            if let name = entry.link.misplaced(names) {
                problems.add(
                    "urls.\(platform.rawValue)", "may hold :\(name) only as a whole path segment or a whole query value"
                )
            }
        }
        return given
    }

    /// Checked again, because domains and blocked hosts may have been added since the application was applied.
    private func checkTemplate(
        _ template: Template, _ given: PlatformURLs, _ check: DestinationCheck, _ problems: inout ProblemList
    ) {
        var own = ProblemList()
        let used = given.isEmpty ? template.urls : template.urls.filter { given[$0.key] == nil }
        check.note(used, at: "template \(template.name)", with: routeParameters, &own)
        for problem in own.entries { problems.add("route", "\(problem.problem) (\(problem.field))") }
    }

    /// The fallback for visitors whose platform has no URL; without one, computers get a page with a QR code.
    private func checkWebBase(
        _ application: Application, _ route: Route?, _ check: DestinationCheck, _ problems: inout ProblemList
    ) {
        guard let url = WebURL(application.webPage(of: route, routeParameters) ?? "") else { return }
        if let problem = check.problem(of: url) { problems.add("urls.web", "is missing, and web.baseURL \(problem)") }
    }

    private func checkParameters(
        _ route: Route?, _ given: PlatformURLs, _ rules: [Rule], _ problems: inout ProblemList
    ) {
        if given.isEmpty, rules.isEmpty {
            // Fast path for nearly all links created from templates: avoids creating a set of at most 32 names.
            return checkParameters(neededBy: route?.variables ?? [], isWhole: isWhole(route, given, rules), &problems)
        }
        var needed = Set(route?.variables ?? [])
        let names = rules.isEmpty ? [] : needed.union(routeParameters.keys)
        for entry in given.values { needed.formUnion(entry.link.variables) }
        for (position, rule) in rules.enumerated() {
            for entry in rule.entries {
                needed.formUnion(entry.link.variables)
                guard let name = entry.link.misplaced(names) else { continue }
                problems.add(
                    "rules[\(position)].to", "may hold :\(name) only as a whole path segment or a whole query value")
            }
        }
        checkParameters(neededBy: needed, isWhole: isWhole(route, given, rules), &problems)
    }

    /// If a route or URL was rejected, the parameters that belong to it are unknown.
    private func isWhole(_ route: Route?, _ given: PlatformURLs, _ rules: [Rule]) -> Bool {
        (self.route == nil) == (route == nil) && given.count == urls.count && rules.count == self.rules.count
    }

    private func checkParameters(
        neededBy needed: some Collection<String>, isWhole: Bool, _ problems: inout ProblemList
    ) {
        if needed.contains(where: { routeParameters[$0] == nil }) {
            for name in needed.sorted() where routeParameters[name] == nil {
                problems.add("routeParameters.\(name)", "is missing")
            }
        }
        for (name, value) in routeParameters.inOrderOfNames {
            var field: String { "routeParameters.\(name.shownAsName)" }
            if isWhole, !needed.contains(name) { problems.add(field, "is no variable of the route or the urls") }
            problems.text(field, value, atMost: LinkLimits.routeParameter)
            if value == "." || value == ".." { problems.add(field, "must not be . or ..") }
        }
    }

    private func checkQueryParameters(_ problems: inout ProblemList) {
        var bytes = 0
        for (name, value) in queryParameters.inOrderOfNames {
            var field: String { "queryParameters.\(name.shownAsName)" }
            problems.text(field, name, atMost: LinkLimits.queryName)
            if ClickQuery.isReserved(name) { problems.add(field, "must not start with _hk_") }
            problems.text(field, value, atMost: LinkLimits.queryBytes, mayBeEmpty: true)
            bytes += name.utf8.count + value.utf8.count
        }
        if queryParameters.count > LinkLimits.queryParameters {
            problems.add("queryParameters", "holds more than \(LinkLimits.queryParameters) parameters")
        }
        if bytes > LinkLimits.queryBytes {
            problems.add("queryParameters", "holds more than \(LinkLimits.queryBytes) bytes")
        }
    }

    // MARK: The rest

    private func validTimes(_ problems: inout ProblemList) -> (start: Timestamp?, end: Timestamp?) {
        func time(_ field: String, _ text: String?) -> Timestamp? {
            guard let text else { return nil }
            let time = Timestamp(rfc3339: text)
            if time == nil { problems.add(field, "is no RFC 3339 time such as 2026-11-21T10:00:00Z") }
            return time
        }
        let start = time("validFrom", validFrom)
        let end = time("expiresAt", expiresAt)
        if let start, let end, end <= start { problems.add("expiresAt", "must be later than validFrom") }
        return (start, end)
    }

    private func validVersions(_ problems: inout ProblemList) -> MinimumVersions? {
        guard let given = minimumVersion else { return nil }
        let ios = given.ios.flatMap { problems.take("minimumVersion.ios", AppVersion.check($0)) }
        let android = given.android.flatMap { problems.take("minimumVersion.android", AppVersion.check($0)) }
        return ios == nil && android == nil ? nil : MinimumVersions(ios: ios, android: android)
    }

    private func validSocial(_ problems: inout ProblemList) -> SocialCard? {
        guard let social else { return nil }
        problems.text("social.title", social.title, atMost: LinkLimits.title, mayBeEmpty: true)
        problems.text("social.description", social.description, atMost: LinkLimits.description, mayBeEmpty: true)
        let image = social.imageURL.flatMap { problems.take("social.imageURL", WebURL.check($0)) }
        return SocialCard(title: social.title, description: social.description, imageURL: image)
    }

    private func checkTags(_ problems: inout ProblemList) {
        if tags.count > LinkLimits.tags { problems.add("tags", "holds more than \(LinkLimits.tags)") }
        for (position, tag) in tags.prefix(LinkLimits.tags).enumerated() {
            problems.text("tags[\(position)]", tag, atMost: LinkLimits.tag)
        }
    }
}
