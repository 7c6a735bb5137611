import WaymarkBytes

/// What is added to a destination's query: the link's own parameters, a campaign, what the click brought, and the marks
/// by which an app finds its metadata.
///
/// The link's parameters and its campaign replace those of the destination's URL with the same name, because they
/// were set for this link; the click's parameters never replace any.
struct URLAdditions {
    var parameters: [String: String] = [:]
    var campaign: Campaign?
    var clicked: ClickQuery?
    var marks: Marks?

    /// `_hk_cid` and `_hk_md`.
    struct Marks {
        var clickID: ClickID?
        var hasMetadata: Bool
    }

    var isEmpty: Bool { parameters.isEmpty && campaign == nil && (clicked?.pairs.isEmpty ?? true) && marks == nil }

    /// The URL with the parameters appended to its query, before the fragment.
    func added(to url: String) -> String {
        guard !isEmpty else { return url }
        let bytes = Array(url.utf8)
        let fragment = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let query = bytes[..<fragment].firstIndex(of: UInt8(ascii: "?")) ?? fragment
        let own = parameters.sorted { $0.key < $1.key }
        let campaign = (campaign?.parameters ?? []).filter { parameters[$0.name] == nil }

        var writer = QueryWriter(bytes: Array(bytes[..<query]))
        var given = Set(own.map(\.key))
        given.formUnion(campaign.map(\.name))
        var storeHealth: Set<String> = []
        for pair in bytes[min(query + 1, fragment)..<fragment].split(separator: UInt8(ascii: "&")) {
            let name = PercentEncoding.decodeTextLeniently(pair.prefix { $0 != UInt8(ascii: "=") }, plusIsSpace: true)
            if given.contains(name) || (marks != nil && ClickQuery.isReserved(name)) { continue }
            storeHealth.insert(name)
            writer.append(encoded: pair)
        }
        given.formUnion(storeHealth)
        for (name, value) in own { writer.append(name, value) }
        for (name, value) in campaign { writer.append(name, value) }
        for pair in clicked?.pairs ?? [] where !given.contains(pair.name) { writer.append(encoded: pair.encoded) }
        if let marks {
            if let clickID = marks.clickID { writer.append(clickID) }
            if marks.hasMetadata { writer.append("_hk_md", "1") }
        }
        writer.bytes.append(contentsOf: bytes[fragment...])
        return String(decoding: writer.bytes, as: UTF8.self)
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

    mutating func append(_ clickID: ClickID) {
        separate()
        bytes.append(contentsOf: "_hk_cid=".utf8)
        clickID.append(to: &bytes)
    }

    private mutating func separate() {
        bytes.append(isFirst ? UInt8(ascii: "?") : UInt8(ascii: "&"))
        isFirst = false
    }
}

extension Campaign {
    /// The parameters for web destinations and the Play referrer.
    package var parameters: [(name: String, value: String)] {
        [
            ("utm_source", source), ("utm_medium", medium), ("utm_campaign", name), ("utm_term", term),
            ("utm_content", content),
        ].compactMap { name, value in value.map { (name: name, value: $0) } }
    }
}
