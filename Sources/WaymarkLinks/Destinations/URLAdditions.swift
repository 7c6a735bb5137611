import WaymarkAPI
import WaymarkBytes

/// The additions to a destination's URL: the path behind the slug, the link's own parameters, a campaign, the click's
/// parameters, the marks by which an app finds its metadata, and the fragment.
///
/// The link's parameters and its campaign replace those of the destination's URL with the same name, because they
/// were set for this link; the click's parameters replace others only with `queryOverride`, and never host or path.
struct URLAdditions {
    /// Encoded, with a slash first; empty for none.
    var path = ""
    var parameters: [String: String] = [:]
    var campaign: CampaignRequest?
    var clicked: ClickQuery?
    /// The names of the click's parameters that replace all others with the same name.
    var overridden: Set<String> = []
    var marks: Marks?
    /// Encoded. A destination's own takes precedence (RFC 9110 section 10.2.2).
    var fragment: String?

    /// `_hk_cid` and `_hk_md`.
    struct Marks {
        var clickID: ClickID?
        /// What follows the click ID.
        var carried = Carried.nothing
        var hasMetadata: Bool
    }

    /// What a click ID carries of the URL as opened.
    enum Carried { case nothing, path, everything }

    /// The suffix of the click ID; formed only where an ID is written.
    var carriedText: String {
        switch marks?.carried {
        case nil, .nothing: ""
        case .path: ClickID.carrying(path, nil)
        case .everything: ClickID.carrying(path, clicked)
        }
    }

    var isEmpty: Bool {
        path.isEmpty && parameters.isEmpty && campaign == nil && (clicked.map { $0.pairs.isEmpty && !$0.isAny } ?? true)
            && marks == nil && fragment == nil
    }

    /// The link's own parameters that the click doesn't replace, by name.
    var ownParameters: [[String: String].Element] {
        let own = parameters.inOrderOfNames
        return overridden.isEmpty ? own : own.filter { !overridden.contains($0.key) }
    }

    /// The campaign's parameters that neither the link's own nor the click replace.
    private var campaignParameters: [(name: String, value: String)] {
        (campaign?.parameters ?? []).filter { parameters[$0.name] == nil && !overridden.contains($0.name) }
    }

    /// The campaign for a store, which knows no other parameters, with the values of the click where it overrides.
    var storeCampaign: [(name: String, value: String)] {
        let clicked = overridden.isEmpty ? [] : self.clicked?.pairs ?? []
        return (campaign?.parameters ?? []).map { own in
            (name: own.name, value: clicked.first { $0.name == own.name }?.value ?? own.value)
        }
    }

    /// The URL with the additions: the path before its query, the parameters before its fragment.
    func added(to url: String) -> String {
        guard !isEmpty else { return url }
        let bytes = Array(url.utf8)
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let query = bytes[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        let own = ownParameters
        let campaign = campaignParameters

        var writer = QueryWriter(bytes: Array(bytes[..<query]))
        if !path.isEmpty { writer.append(path: path) }
        var given = Set(own.map(\.key))
        given.formUnion(campaign.map(\.name))
        var inherited: Set<String> = []
        for pair in bytes[min(query + 1, fragment)..<fragment].split(separator: UInt8(ascii: "&")) {
            let name = PercentEncoding.decodeTextLeniently(pair.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true)
            if given.contains(name) || overridden.contains(name) || (marks != nil && ClickQuery.isReserved(name)) {
                continue
            }
            inherited.insert(name)
            writer.append(encoded: pair)
        }
        given.formUnion(inherited)
        for (name, value) in own { writer.append(name, value) }
        for (name, value) in campaign { writer.append(name, value) }
        for pair in clicked?.pairs ?? [] where !given.contains(pair.name) { writer.append(encoded: pair.encoded) }
        if let clicked, clicked.isAny { writer.append(placeExcept: given.union(clicked.leftOut)) }
        if let marks {
            if let clickID = marks.clickID { writer.append(clickID, carriedText) }
            if marks.hasMetadata { writer.append("_hk_md", "1") }
        }
        writer.bytes.append(contentsOf: bytes[fragment...])
        if fragment == bytes.count, let text = self.fragment {
            writer.bytes.append(UInt8(ascii: "#"))
            writer.bytes.append(contentsOf: text.utf8)
        }
        return String(decoding: writer.bytes, as: UTF8.self)
    }
}

extension Link {
    /// The additions of this link and of the URL as opened, without the marks of a click: the one rule for redirects,
    /// pages, the clipboard, Play's referrer, resolves and claims.
    ///
    /// Apps get no campaign. Clicked campaign parameters are dropped where the link has a campaign of its own, unless the
    /// click overrides it.
    func additions(_ application: Application, _ opened: OpenedSuffix?) -> URLFinish {
        let overrides = overridesQuery(application)
        var clicked = forwardsQuery(application) ? opened?.clicked : nil
        if !overrides, let campaign = content.campaign { clicked?.leaveOut(Set(campaign.parameters.map(\.name))) }
        if let conventions = content.conventions { clicked?.leaveOut(conventions.notForwarded) }
        let web = URLAdditions(
            path: application.appendsExtraPath ? opened?.soundPath ?? "" : "",
            parameters: content.queryParameters, campaign: content.campaign, clicked: clicked,
            overridden: overrides ? Set((clicked?.pairs ?? []).map(\.name)) : [], fragment: opened?.soundFragment)
        var app = web
        app.campaign = nil
        return URLFinish(web: web, app: app)
    }
}

/// Appends pairs to a URL: `?` before the first, `&` before the others.
private struct QueryWriter {
    var bytes: [UInt8]
    private var isFirst = true

    init(bytes: [UInt8]) {
        self.bytes = bytes
        self.bytes.reserveCapacity(bytes.count + 160)
    }

    /// Before all pairs.
    mutating func append(path: String) {
        // Two slashes behind the colon would begin a host.
        let hasAuthority = bytes.firstRange(of: "://".utf8) != nil
        if bytes.last == UInt8(ascii: "/"), bytes.dropLast().last != UInt8(ascii: "/") { bytes.removeLast() }
        bytes.append(
            contentsOf: hasAuthority ? path.utf8[...] : path.utf8.dropFirst(path.utf8.prefix { $0 == 0x2F }.count - 1))
    }

    mutating func append(encoded pair: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: pair)
    }

    mutating func append(_ name: String, _ value: String) {
        separate()
        PercentEncoding.append(part: name.utf8, to: &bytes)
        bytes.append(UInt8(ascii: "="))
        PercentEncoding.append(part: value.utf8, to: &bytes)
    }

    /// A mark for the parameters of any click.
    mutating func append(placeExcept names: Set<String>) {
        let isFirst = isFirst
        separate()
        bytes.append(contentsOf: QueryPlace.mark(isFirst: isFirst, leavingOut: names).utf8)
    }

    mutating func append(_ clickID: ClickID, _ carried: String) {
        separate()
        bytes.append(contentsOf: "_hk_cid=".utf8)
        clickID.append(to: &bytes)
        bytes.append(contentsOf: carried.utf8)
    }

    private mutating func separate() {
        bytes.append(isFirst ? UInt8(ascii: "?") : UInt8(ascii: "&"))
        isFirst = false
    }
}

extension CampaignRequest {
    /// The parameters for web destinations and the Play referrer.
    package var parameters: [(name: String, value: String)] {
        [
            ("utm_source", source), ("utm_medium", medium), ("utm_campaign", name), ("utm_term", term),
            ("utm_content", content),
        ].compactMap { name, value in value.map { (name: name, value: $0) } }
    }
}
