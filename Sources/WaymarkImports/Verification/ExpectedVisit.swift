package import WaymarkLinks

/// The devices that `waymark links verify` visits every link with.
package enum VerifiedDevice: String, CaseIterable, Sendable {
    case iphone, ipad, android, desktop

    package var userAgent: String {
        switch self {
        case .iphone:
            "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/18.1 Mobile/15E148 Safari/604.1"
        case .ipad:
            "Mozilla/5.0 (iPad; CPU OS 16_7 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) "
                + "Version/16.6 Mobile/15E148 Safari/604.1"
        case .android:
            "Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/131.0.0.0 Mobile Safari/537.36"
        case .desktop:
            "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
                + "Chrome/131.0.0.0 Safari/537.36"
        }
    }

    /// Names of the platforms whose URL applies, the most specific first.
    fileprivate var platforms: [String] {
        switch self {
        case .iphone: ["iphone", "ios", "web"]
        case .ipad: ["ipad", "ios", "web"]
        case .android: ["android", "web"]
        case .desktop: ["windows", "web"]
        }
    }
}

/// Where a link of another service leads one device.
///
/// It is computed from the source alone, so it may allow several destinations: which of them is right can depend on the application's
/// identities, which the source does not have.
package struct ExpectedVisit: Sendable, Equatable {
    /// URLs, each of which is right; the most likely first. Empty if the source does not say.
    package var destinations: [String] = []
    /// Paths inside the app, below a scheme that the source does not know.
    package var appPaths: [String] = []
    /// Whether the app's page in a store is right, too.
    package var allowsStore = false
    /// Whether the link is disabled, expired or not valid yet.
    package var isInactive = false
    /// Names of query parameters that Waymark adds to destinations for this link.
    package var addedParameters: Set<String> = []

    /// For the report.
    package var text: String {
        if isInactive { return "inactive" }
        return destinations.first ?? appPaths.first ?? "any destination"
    }
}

extension ForeignLink {
    /// - Parameter now: decides whether the link is expired.
    package func expectedVisit(_ device: VerifiedDevice, now: Timestamp) -> ExpectedVisit {
        var visit = ExpectedVisit()
        visit.isInactive = isInactive(now)
        if draft.campaign != nil { visit.addedParameters = Self.campaignParameters }
        visit.addedParameters.formUnion(draft.queryParameters.keys)
        if firebase.isEmpty {
            expectURLs(of: device, &visit)
        } else {
            expectFirebase(device, &visit)
        }
        for rule in draft.rules {
            for entry in (rule.urls ?? [:]).values { add(entry, &visit) }
            if let url = rule.url { visit.destinations.append(url) }
        }
        return visit
    }

    private static let campaignParameters: Set = [
        "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content", "gclid",
    ]

    private func isInactive(_ now: Timestamp) -> Bool {
        if draft.disabled == true { return true }
        if let end = draft.expiresAt.flatMap({ Timestamp(rfc3339: $0) }), end <= now { return true }
        if let start = draft.validFrom.flatMap({ Timestamp(rfc3339: $0) }), start > now { return true }
        return false
    }

    private func expectURLs(of device: VerifiedDevice, _ visit: inout ExpectedVisit) {
        for platform in device.platforms {
            if let path = appPaths[platform] {
                visit.appPaths.append(path)
                visit.allowsStore = true
            }
            guard let entry = draft.urls[platform], !entry.link.isEmpty || entry.fallback != nil else { continue }
            add(entry, &visit)
            return
        }
        // Without an own destination, the page of the application for the web.
        if !visit.appPaths.isEmpty { visit.allowsStore = true }
    }

    private func add(_ entry: URLEntryDraft, _ visit: inout ExpectedVisit) {
        if !entry.link.isEmpty { visit.destinations.append(entry.link) }
        switch entry.fallback {
        case "store"?: visit.allowsStore = true
        case "web"?: visit.destinations += draft.urls["web"].map { [$0.link] } ?? []
        case let fallback?: visit.destinations.append(fallback)
        case nil: break
        }
    }

    /// Parameters that name another application's package or bundle ID have no effect, so `link` itself is always right.
    private func expectFirebase(_ device: VerifiedDevice, _ visit: inout ExpectedVisit) {
        func add(_ parameters: FirebaseParameter...) {
            visit.destinations += parameters.compactMap { firebase[$0] }
        }
        visit.addedParameters.formUnion(Self.campaignParameters)
        switch device {
        case .desktop:
            if firebase[.ofl] != nil { add(.ofl) } else { add(.link) }
        case .android:
            if firebase[.apn] != nil {
                add(.al, .link, .afl)
                visit.allowsStore = firebase[.afl] == nil
            } else {
                add(.link)
            }
        case .iphone:
            add(.link)
            if firebase[.ibi] != nil {
                add(.ifl)
                visit.allowsStore = firebase[.ifl] == nil
            }
        case .ipad:
            add(.link)
            if firebase[.ibi] != nil || firebase[.ipbi] != nil {
                add(.ipfl, .ifl)
                visit.allowsStore = firebase[.ipfl] == nil
            }
        }
    }
}
