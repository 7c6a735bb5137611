package import WaymarkAPI
import WaymarkBytes

/// A link converted from the data of a Branch link (https://help.branch.io/docs/deep-link-reference): the draft, and what
/// had to be left out.
///
/// Branch opens the app on phones and tablets, and redirects only those who don't have it. So every link has entries for
/// the apps, unless `$web_only` is set.
package struct BranchLinkDraft: Sendable, Equatable {
    /// Has no domain, slug and metadata.
    package private(set) var draft = LinkRequest()
    package private(set) var notes: [String] = []
    /// By key: URLs that this caller must not use.
    package private(set) var problems: [FieldProblem] = []

    private let data: [String: String]
    private let application: Application
    private let onlyOwnHosts: Bool

    package static func == (one: Self, other: Self) -> Bool {
        one.draft == other.draft && one.notes == other.notes && one.problems == other.problems
    }

    /// - Parameters:
    ///   - data: Values by key, flags as `true`.
    ///   - onlyOwnHosts: whether URLs must be on `Application.isOwnDestination` hosts: required for long links, which
    ///     anybody can write. An image on another host is left out.
    package init(_ data: [String: String], for application: Application, onlyOwnHosts: Bool) {
        self.data = data
        self.application = application
        self.onlyOwnHosts = onlyOwnHosts
        readWeb()
        draft.urls["ios"] = entry(.iOS)
        draft.urls["android"] = entry(.android)
        if let url = web("$ipad_url") { draft.urls["ipad"] = entry(.iOS, page: url) }
        if draft.urls.isEmpty {
            problems.append(FieldProblem(field: "$fallback_url", problem: "is missing, and so is web.baseURL"))
        }
        readCountries()
        readTexts()
    }

    /// The keys that are read here.
    package static let keys: Set<String> = [
        "$desktop_url", "$fallback_url", "$ios_url", "$ipad_url", "$android_url", "$deeplink_path",
        "$ios_deeplink_path", "$android_deeplink_path", "$web_only", "$og_title", "$twitter_title", "$og_description",
        "$twitter_description", "$og_image_url", "$twitter_image_url", "~channel", "channel", "~feature", "feature",
        "~campaign", "campaign",
    ]

    /// Whether a key redirects visitors of one country, such as `$ios_url_de`.
    package static func isForCountry(_ key: String) -> Bool { country(of: key) != nil }

    private enum System: CaseIterable {
        case iOS, android

        var url: String { self == .iOS ? "$ios_url" : "$android_url" }
        var path: String { self == .iOS ? "$ios_deeplink_path" : "$android_deeplink_path" }
        var name: String { self == .iOS ? "ios" : "android" }

        func scheme(_ application: Application) -> URLScheme? {
            self == .iOS ? application.ios?.urlScheme : application.android?.urlScheme
        }

        func store(_ application: Application) -> String? {
            switch self {
            case .iOS: application.ios?.appStoreID.map { AppStore.appleURL(id: $0, campaign: nil) }
            case .android: application.android?.package.map { AppStore.playURL(package: $0) }
            }
        }
    }

    private func text(_ keys: String...) -> String? {
        for key in keys { if let text = data[key], !text.isEmpty { return text } }
        return nil
    }

    private var isWebOnly: Bool { data["$web_only"] == "true" || data["$web_only"] == "1" }

    // MARK: Destinations

    /// A web URL, as a pattern without variables.
    private mutating func web(_ key: String) -> String? {
        guard let url = text(key) else { return nil }
        if onlyOwnHosts, let problem = problem(withOwn: url) {
            if !problems.contains(where: { $0.field == key }) {
                problems.append(FieldProblem(field: key, problem: problem))
            }
            return nil
        }
        return FirebaseLinkDraft.literal(url)
    }

    /// Why a URL is none on a host of the application; nil if it is one.
    private func problem(withOwn url: String) -> String? {
        switch WebURL.check(url) {
        case .problem(let problem): problem
        case .valid(let url):
            url.host.map(application.isOwnDestination) == true
                ? nil : "leads to a host that is not in the application's destinations, web.baseURL or templates"
        }
    }

    private mutating func readWeb() {
        let found = web("$desktop_url") ?? web("$fallback_url")
        if found == nil, problems.isEmpty, let base = application.webBaseURL {
            notes.append("it has no $desktop_url or $fallback_url; web.baseURL of the application takes its place")
            draft.urls["web"] = URLEntryRequest(FirebaseLinkDraft.literal(base.text))
        } else {
            draft.urls["web"] = found.map { URLEntryRequest($0) }
        }
    }

    /// The app, and the page for those without it.
    ///
    /// - Parameter page: in place of the system's own.
    private mutating func entry(_ system: System, page: String? = nil) -> URLEntryRequest? {
        let page = page ?? web(system.url) ?? web("$fallback_url")
        let store = system.store(application)
        if !isWebOnly, let url = appURL(system) {
            return URLEntryRequest(url, fallback: page ?? (store == nil ? nil : "store"))
        }
        if let page { return URLEntryRequest(page) }
        // Nothing but the page for desktops was given, which Branch shows to nobody with a phone.
        return isWebOnly ? nil : store.map { URLEntryRequest(FirebaseLinkDraft.literal($0)) }
    }

    /// Nil if the application has no scheme.
    private mutating func appURL(_ system: System) -> String? {
        var path = text(system.path, "$deeplink_path")
        if let url = path, url.contains("://") {
            if let own = URLText.check(url).value,
                application.allowedSchemes.contains(where: { $0.text == own.schemeText })
            {
                return FirebaseLinkDraft.literal(url)
            }
            note("the path \(String(url.unicodeScalars.prefix(100))) has a scheme that is not the application's")
            path = nil
        }
        guard let scheme = system.scheme(application) else {
            if let path {
                note(
                    "the application has no urlScheme for the path \(String(path.unicodeScalars.prefix(100))) on \(system.name)"
                )
            }
            return nil
        }
        // Branch opens apps without a path so.
        let inside = path.map { String($0.drop { $0 == "/" }) } ?? "open"
        return FirebaseLinkDraft.literal(scheme.text + "://" + inside)
    }

    private mutating func note(_ text: String) {
        if !notes.contains(text) { notes.append(text) }
    }

    // MARK: Countries

    private static let countryKeys = ["$ios_url_", "$android_url_", "$fallback_url_"]

    private static func country(of key: String) -> (prefix: String, country: String)? {
        guard let prefix = countryKeys.first(where: key.hasPrefix) else { return nil }
        let country = key.dropFirst(prefix.count)
        guard country.utf8.count == 2, country.utf8.allSatisfy(\.isLetter) else { return nil }
        return (prefix, country.uppercased())
    }

    /// Pages of a country take the place of the others; the app opens as elsewhere. A page of a system comes before the one
    /// of all systems.
    private mutating func readCountries() {
        let keys = data.keys.filter(Self.isForCountry).sorted {
            ($0.hasPrefix("$fallback_url_") ? 1 : 0, $0) < ($1.hasPrefix("$fallback_url_") ? 1 : 0, $1)
        }
        for key in keys where draft.rules.count <= Rule.limit {
            guard let (prefix, country) = Self.country(of: key), let url = web(key) else { continue }
            var urls: [String: URLEntryRequest] = [:]
            for system in System.allCases where prefix == system.url + "_" || prefix == "$fallback_url_" {
                urls[system.name] = entry(system, page: url)
            }
            if prefix == "$fallback_url_" { urls["web"] = URLEntryRequest(url) }
            var when = RuleRequest.Condition()
            when.country = [country]
            draft.rules.append(RuleRequest(when: when, to: .urls(urls)))
        }
    }

    // MARK: Texts

    private mutating func readTexts() {
        var image = text("$og_image_url", "$twitter_image_url")
        if onlyOwnHosts, image.flatMap({ WebURL($0) })?.host.map(application.isOwnDestination) != true { image = nil }
        let title = text("$og_title", "$twitter_title")?.onOneLine
        let description = text("$og_description", "$twitter_description")?.onOneLine
        if title != nil || description != nil || image != nil {
            draft.social = SocialRequest(title: title, description: description, imageURL: image)
        }
        let campaign = CampaignRequest(
            source: text("~channel", "channel"), medium: text("~feature", "feature"),
            name: text("~campaign", "campaign"), term: nil, content: nil)
        if !campaign.parameters.isEmpty { draft.campaign = campaign }
    }
}

/// The parsed query of a long Branch link.
package struct BranchQuery: Sendable, Equatable {
    /// The keys that have a meaning for Branch, decoded; the first of duplicates wins.
    package private(set) var data: [String: String] = [:]
    /// All pairs as given, without those that this service added.
    package private(set) var query = ""
    /// The pairs that are the app's, as given; nil for none.
    package private(set) var own: String?

    /// - Parameter raw: without `?`.
    package init(_ raw: String) {
        var all: [Substring] = []
        var own: [Substring] = []
        for pair in raw.split(separator: "&") {
            let equals = pair.utf8.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            let name = PercentEncoding.decodeTextLeniently(pair.utf8[..<equals], plusIsSpace: true)
            guard !ClickQuery.isReserved(name) else {
                own.append(pair)
                continue
            }
            all.append(pair)
            guard Self.isBranchs(name) else {
                own.append(pair)
                continue
            }
            let value = pair.utf8[equals...].dropFirst()
            if data[name] == nil { data[name] = PercentEncoding.decodeTextLeniently(value, plusIsSpace: true) }
        }
        query = all.joined(separator: "&")
        if !own.isEmpty { self.own = own.joined(separator: "&") }
    }

    /// Whether a URL is a long link: its query has a key of Branch's, or its path names a key (`/a/key_live_…`).
    ///
    /// - Parameter path: with its first slash.
    package static func isLongLink(_ path: some StringProtocol, _ query: String) -> Bool {
        if path.hasPrefix("/a/key_") { return true }
        return query.utf8.split(separator: UInt8(ascii: "&")).contains { pair in
            pair.first == UInt8(ascii: "$") || pair.starts(with: "%24".utf8)
        }
    }

    private static let analytics: Set<String> = [
        "channel", "feature", "campaign", "stage", "tags", "type", "duration", "alias", "branch_key",
    ]

    private static func isBranchs(_ name: String) -> Bool {
        name.utf8.first.map { "$~+".utf8.contains($0) } == true || analytics.contains(name)
    }
}

extension WebURL {
    /// Whether it may be a long link, of Firebase or of Branch.
    package var isLongLink: Bool {
        query.map { FirebaseQuery.isLongLink($0) || BranchQuery.isLongLink(path, $0) } ?? false
    }
}

extension String {
    /// The text with a space in place of line breaks and tabs.
    package var onOneLine: String {
        guard holdsControlCharacters else { return self }
        var scalars = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            if !"\n\r\t".unicodeScalars.contains(scalar) {
                scalars.append(scalar)
            } else if scalars.last != " " {
                scalars.append(" ")
            }
        }
        return String(scalars)
    }
}
