package import WaymarkAPI
import WaymarkBytes

/// What the association files of an application say of its apps.
package struct AssociatedApps: Sendable, Equatable {
    /// Of its iOS apps, without the team's prefix.
    package var bundleIDs: [String] = []
    package var packages: [String] = []
    package var appClipBundleID: String?
    /// Whether a smart link opens the iOS app from another host's page.
    package var hasUniversalLinks = false

    package init() {}
}

extension ApplicationRequest {
    /// The limits of an application.
    package enum Limits {
        package static let domains = 100
        package static let templates = 500
        package static let schemes = 50
        package static let origins = 100
        /// Maximum length of a name in bytes.
        package static let name = 128
    }

    /// The allowed redirect statuses (RFC 9110, section 15.4), without 303, which is for responses to POST.
    package static let redirectStatuses: Set<Int> = [301, 302, 307, 308]

    /// Validates everything and reports all problems. Conflicts with other applications' domains are checked elsewhere.
    ///
    /// - Parameters:
    ///   - apps: what its association files say of its apps.
    ///   - isStored: whether it was accepted before, possibly when rules could have more values.
    package func validate(
        with apps: AssociatedApps = AssociatedApps(), isStored: Bool = false
    ) -> Validated<Application> {
        var problems = ProblemList()
        let id = id.flatMap { ApplicationID($0) }
        if id == nil { problems.add("id", self.id == nil ? "is missing" : ApplicationID.rule) }
        problems.text("name", name, atMost: Limits.name)
        let hosts = validHosts(&problems)
        let base = validBaseURL(&problems)
        let destinations = validDestinations(&problems)
        let check = DestinationCheck(policy: destinations)
        let ios = validIOS(apps, &problems)
        let android = validAndroid(&problems)
        let windows = validWindows(&problems)
        let web = validWebBase(&problems)
        check.note(web, at: "web.baseURL", &problems)
        let custom = validSchemes(&problems)
        let status = redirectStatus ?? 302
        if !ApplicationRequest.redirectStatuses.contains(status) {
            problems.add("redirectStatus", "must be 301, 302, 307 or 308")
        }
        let expired = onExpired.flatMap { problems.take("onExpired", WebURL.check($0)) }
        let unknown = onUnknown.flatMap { problems.take("onUnknown", WebURL.check($0)) }
        let root = onRoot.flatMap { problems.take("onRoot", WebURL.check($0)) }
        check.note(expired, at: "onExpired", &problems)
        check.note(unknown, at: "onUnknown", &problems)
        check.note(root, at: "onRoot", &problems)
        let open = openHost.flatMap { problems.take("openHost", HostName.check($0)) }
        if let open, hosts.contains(open) || open == base?.host {
            problems.add("openHost", "must not be a domain of a smart link")
        }
        if let extraPath, extraPath != "append", extraPath != "unknown" {
            problems.add("extraPath", "must be append or unknown")
        }
        if let slugCase, slugCase != "insensitive", slugCase != "sensitive" {
            problems.add("slugCase", "must be sensitive or insensitive")
        }
        let detail = clickDetail.flatMap { ClickDetail(rawValue: $0) }
        if clickDetail != nil, detail == nil { problems.add("clickDetail", ClickDetail.rule) }
        if let managedBy { problems.label(.managedBy, managedBy) }
        checkOrigins(&problems)
        let appearance = validAppearance(&problems)
        let firebase = validFirebase(apps, &problems)
        guard let id else { return .invalid(problems.entries) }
        let schemes = Application.allowedSchemes(ios, android, custom)
        let templates = validTemplates(schemes, check, &problems)
        // No variables: links have different parameters, so none could be replaced on all links.
        let rules = rules.validate(
            schemes: schemes, variables: [], from: nil, until: nil, check, isStored: isStored, &problems)
        guard problems.isEmpty else { return .invalid(problems.entries) }
        return .valid(
            Application(
                id: id, name: name ?? id.text, domains: hosts, baseURL: base, ios: ios, android: android,
                windows: windows, webBaseURL: web, templates: templates, redirectStatus: status, onExpired: expired,
                onUnknown: unknown, onRoot: root, openHost: open, forwardQuery: forwardQuery ?? true,
                queryOverride: queryOverride ?? false, appendsExtraPath: extraPath == "append",
                clickDetail: detail ?? .full, continueTicked: continueTicked ?? false,
                ignoresSlugCase: slugCase == "insensitive", schemes: custom, corsOrigins: corsOrigins, rules: rules,
                destinations: destinations, appearance: appearance,
                firebase: firebase,
                hoko: HokoSettings(isEnabled: hoko?.enabled ?? false, isLazy: hoko?.lazy ?? false),
                servesBranch: servesBranch ?? false, managedBy: managedBy))
    }

    // MARK: Hosts

    private func validHosts(_ problems: inout ProblemList) -> [HostName] {
        if domains.count > Limits.domains { problems.add("domains", "holds more than \(Limits.domains)") }
        var hosts: [HostName] = []
        var known: Set<HostName> = []
        for (index, domain) in domains.prefix(Limits.domains).enumerated() {
            guard let host = problems.take("domains[\(index)]", HostName.check(domain)) else { continue }
            if known.insert(host).inserted {
                hosts.append(host)
            } else {
                problems.add("domains[\(index)]", "is given twice")
            }
        }
        return hosts
    }

    private func validBaseURL(_ problems: inout ProblemList) -> WebURL? {
        guard let baseURL, let url = problems.take("baseURL", WebURL.check(baseURL)) else { return nil }
        if !url.isOrigin { problems.add("baseURL", "must hold only scheme, host and port") }
        return url
    }

    private func validWebBase(_ problems: inout ProblemList) -> WebURL? {
        guard let webBaseURL, let url = problems.take("web.baseURL", WebURL.check(webBaseURL)) else { return nil }
        if url.query != nil || url.fragment != nil {
            problems.add("web.baseURL", "must not hold a query or a fragment: routes are put behind it")
        }
        return url
    }

    private func validDestinations(_ problems: inout ProblemList) -> DestinationPolicy? {
        let allowed = hostPatterns(destinations?.allowedHosts, at: "destinations.allowedHosts", &problems)
        let blocked = hostPatterns(destinations?.blockedHosts, at: "destinations.blockedHosts", &problems) ?? []
        if destinations?.allowedHosts?.isEmpty == true {
            problems.add("destinations.allowedHosts", "is empty; leave it out to allow every host")
        }
        guard allowed != nil || !blocked.isEmpty else { return nil }
        return DestinationPolicy(allowed: allowed.map { HostSet($0) }, blocked: HostSet(blocked))
    }

    /// Nil if none are given, or if one is invalid: then the allowed hosts are unknown.
    private func hostPatterns(
        _ given: [String]?, at field: String, _ problems: inout ProblemList
    ) -> [HostPattern]? {
        guard let given, !given.isEmpty else { return nil }
        if given.count > DestinationPolicy.limit { problems.add(field, "holds more than \(DestinationPolicy.limit)") }
        let read = given.prefix(DestinationPolicy.limit).enumerated().compactMap { index, text in
            problems.take("\(field)[\(index)]", HostPattern.check(text))
        }
        return read.count == given.count ? read : nil
    }

    private func validAppearance(_ problems: inout ProblemList) -> WaymarkLinks.Appearance {
        let icon = appearance?.iconURL.flatMap { problems.take("appearance.iconURL", WebURL.check($0)) }
        // Pages served over TLS would not show any other.
        if let icon, icon.scheme != .https { problems.add("appearance.iconURL", "must be an https URL") }
        let color = appearance?.accentColor.flatMap { RGBColor($0) }
        if appearance?.accentColor != nil, color == nil {
            problems.add("appearance.accentColor", "must be a colour written as #rrggbb, such as #0b6e4f")
        }
        return WaymarkLinks.Appearance(iconURL: icon, accentColor: color)
    }

    private func checkOrigins(_ problems: inout ProblemList) {
        if corsOrigins.count > Limits.origins { problems.add("cors.origins", "holds more than \(Limits.origins)") }
        for (index, origin) in corsOrigins.prefix(Limits.origins).enumerated() {
            let field = "cors.origins[\(index)]"
            guard let url = problems.take(field, WebURL.check(origin)) else { continue }
            // Compared byte for byte with the browser's value, which ends after the host or port.
            if url.origin != origin { problems.add(field, "must hold only scheme, host and port") }
            if origin.asciiLowercased != origin { problems.add(field, "must be in lower case") }
        }
    }

    // MARK: Apps

    private func validIOS(_ apps: AssociatedApps, _ problems: inout ProblemList) -> IOSIdentity? {
        guard let ios else { return nil }
        let scheme = ios.urlScheme.flatMap { problems.take("ios.urlScheme", URLScheme.checkCustom($0)) }
        if let id = ios.appStoreID, !(1...20).contains(id.utf8.count) || !id.utf8.allSatisfy(\.isDigit) {
            problems.add("ios.appStoreID", "must be the number of the app in the App Store, digits only")
        }
        let minimum = ios.minimumVersion.flatMap { problems.take("ios.minimumVersion", AppVersion.check($0)) }
        return IOSIdentity(
            urlScheme: scheme, appStoreID: ios.appStoreID, minimumVersion: minimum,
            appClipBundleID: apps.appClipBundleID, hasUniversalLinks: apps.hasUniversalLinks)
    }

    private func validAndroid(_ problems: inout ProblemList) -> AndroidIdentity? {
        guard let android else { return nil }
        let scheme = android.urlScheme.flatMap { problems.take("android.urlScheme", URLScheme.checkCustom($0)) }
        if let package = android.package, !AndroidPackage.isValid(package) {
            problems.add("android.package", "must be a package name such as com.example.shop")
        }
        let minimum = android.minimumVersion.flatMap {
            problems.take("android.minimumVersion", AppVersion.check($0))
        }
        for (name, id) in [("galaxy", android.galaxy), ("amazon", android.amazon)] {
            guard let id, !AndroidPackage.isValid(id), name == "galaxy" || !Self.isStoreID(id, of: 10...10) else {
                continue
            }
            problems.add(
                "android.\(name)",
                "must be a package name such as com.example.shop"
                    + (name == "amazon" ? ", or an ASIN such as B00ABCDEF1" : ""))
        }
        if let id = android.appGallery,
            id.first != "C" || !id.utf8.dropFirst().allSatisfy(\.isDigit)
                || !(2...20).contains(id.utf8.count)
        {
            problems.add("android.appGallery", "must be the app's ID in AppGallery, such as C100000001")
        }
        return AndroidIdentity(
            package: android.package, urlScheme: scheme, minimumVersion: minimum, appGallery: android.appGallery,
            galaxy: android.galaxy, amazon: android.amazon)
    }

    private func validWindows(_ problems: inout ProblemList) -> WindowsIdentity? {
        guard let windows else { return nil }
        if let id = windows.microsoft, !Self.isStoreID(id, of: 12...14) {
            problems.add("windows.microsoft", "must be the app's product ID in Microsoft Store, such as 9NBLGGH4NNS1")
        }
        return WindowsIdentity(microsoft: windows.microsoft)
    }

    /// Letters and digits, as stores number apps.
    private static func isStoreID(_ text: String, of counts: ClosedRange<Int>) -> Bool {
        counts.contains(text.utf8.count) && text.utf8.allSatisfy(\.isAlphanumeric)
    }

    private func validSchemes(_ problems: inout ProblemList) -> [URLScheme] {
        if schemes.count > Limits.schemes { problems.add("schemes", "holds more than \(Limits.schemes)") }
        return schemes.prefix(Limits.schemes).enumerated().compactMap { index, scheme in
            problems.take("schemes[\(index)]", URLScheme.checkCustom(scheme))
        }
    }

    // MARK: Templates

    private func validTemplates(
        _ schemes: Set<URLScheme>, _ check: DestinationCheck, _ problems: inout ProblemList
    ) -> [WaymarkLinks.Template] {
        if templates.count > Limits.templates { problems.add("templates", "holds more than \(Limits.templates)") }
        var read: [WaymarkLinks.Template] = []
        var names: Set<String> = []
        var routes: Set<Route> = []
        for (index, draft) in templates.prefix(Limits.templates).enumerated() {
            let field = "templates[\(index)]"
            problems.text("\(field).name", draft.name, atMost: Limits.name)
            let route = problems.take("\(field).route", Route.check(draft.route))
            let name = draft.name ?? route?.text ?? "\(field).route"
            if !names.insert(name).inserted { problems.add("\(field).name", "is another template's too") }
            if let route, !routes.insert(route).inserted { problems.add("\(field).route", "is another template's too") }
            let rules = URLEntryRules(schemes: schemes, variables: route.map { Set($0.variables) })
            let urls = rules.read(draft.urls, at: "\(field).urls", noting: &problems)
            check.note(urls, at: "\(field).urls", &problems)
            var names: Set<String> = []
            for (platform, entry) in draft.urls.sorted(by: { $0.key < $1.key }) {
                problems.name("\(field).urls.\(platform.shownAsName).name", entry.name, ofOthers: &names)
            }
            if let route { read.append(WaymarkLinks.Template(name: name, route: route, urls: urls)) }
        }
        return read
    }
}
