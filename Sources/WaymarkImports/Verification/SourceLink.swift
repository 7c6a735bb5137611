import WaymarkBytes
import WaymarkJSON
import WaymarkLinks

/// A link by the rules of its service, read from the raw row. It shares no code with the conversion that it
/// checks.
struct SourceLink: Sendable {
    typealias Address = ForeignLink.Address

    /// Whether parameters of a visit reach the destination.
    enum Query: Sendable, Equatable {
        /// - Parameter visitorWins: over the destination's own of the same name; nil if it is not known.
        case forwarded(visitorWins: Bool?)
        case dropped
        /// Not known, or not set by anybody.
        case unknown
    }

    /// The link's own address first; addresses without a domain are on the service's only one.
    var addresses: [Address] = []
    var ignoresCase = false
    var query = Query.unknown
    /// Why it leads nowhere, whatever the time.
    var closed: String?
    var start: Timestamp?
    var end: Timestamp?
    /// Where it leads once it has ended.
    var expiredURL: String?
    /// Parameters that the service adds to destinations; nil: with any value.
    var additions: [String: String?] = ["_hk_cid": nil, "_hk_md": nil]
    /// Visits that show a rule, beyond one for each device.
    var probes: [SourceVisit] = []
    /// Where the link leads while it is active: several if chance, or what a visitor can't choose, decides.
    var decide: @Sendable (SourceVisit, Timestamp) -> [ExpectedAnswer] = { _, _ in [.any] }

    /// Where chance sends visitors on computers, with shares in percent; empty if it does not decide.
    var shares: @Sendable (Timestamp) -> [String: Int] = { _ in [:] }

    /// Visitors that show whether chance decides: of those on computers a share of a half misses all once in
    /// a million links, of those on one phone once in two thousand.
    static let visitors = [(VisitDevice.desktop, 20), (.iphone, 10), (.android, 10)].flatMap {
        device, count in
        (1...count).map { SourceVisit(device: device, visitor: $0) }
    }
    static let mostProbes = 40

    /// All right answers while the link is active.
    func answers(to visit: SourceVisit, at now: Timestamp) -> [ExpectedAnswer] {
        decide(visit, now).map { answer in
            guard case .web(let url) = answer, !visit.query.isEmpty, case .forwarded(let wins) = query else {
                return answer
            }
            return .web(Self.merged(url, visit.query, visitorWins: wins ?? false))
        }
    }

    func inactivity(at now: Timestamp) -> String? {
        if let closed { return closed }
        if let end, end <= now { return "the link has expired" }
        if let start, start > now { return "the link is not valid yet" }
        return nil
    }

    /// Every visit that is made of the link's own address; further ones are visited once on each device.
    func visits(at now: Timestamp) -> [SourceVisit] {
        var visits = VisitDevice.allCases.map { SourceVisit(device: $0) }
        guard inactivity(at: now) == nil else { return visits }
        visits += probes.prefix(Self.mostProbes)
        if ignoresCase, let slug = addresses.first?.slug, SourceVisit.swapped(slug) != slug {
            visits.append(SourceVisit(device: .desktop, swapsCase: true))
        }
        guard query != .unknown else { return visits }
        visits.append(SourceVisit(device: .desktop, query: [.init(name: "verify", value: "1")]))
        guard query == .forwarded(visitorWins: true) else { return visits }
        for case .web(let url) in decide(SourceVisit(device: .desktop), now).prefix(1) {
            guard let pair = Self.pairs(url).first else { continue }
            let name = PercentEncoding.decodeTextLeniently(pair.prefix { $0 != "=" }.utf8, plusIsSpace: true)
            visits.append(SourceVisit(device: .desktop, query: [.init(name: name, value: "verify")]))
        }
        return visits
    }

    private static func pairs(_ url: String) -> [Substring] {
        let text = url.prefix { $0 != "#" }
        guard let mark = text.firstIndex(of: "?") else { return [] }
        return text[text.index(after: mark)...].split(separator: "&")
    }

    private static func merged(_ url: String, _ query: [SourceVisit.Parameter], visitorWins: Bool) -> String {
        let text = url.prefix { $0 != "#" }
        let names = Set(query.map(\.name))
        let kept = pairs(url).filter { pair in
            let name = PercentEncoding.decodeTextLeniently(pair.prefix { $0 != "=" }.utf8, plusIsSpace: true)
            return !visitorWins || !names.contains(name)
        }
        let all = kept.map(String.init) + query.map(\.text)
        return String(text.prefix { $0 != "?" }) + "?" + all.joined(separator: "&")
            + url.dropFirst(text.count)
    }
}

extension SourceValues {
    /// - Parameters:
    ///   - short: columns of the whole short URL.
    ///   - further: columns of further addresses, in a cell separated by spaces, commas or bars.
    func addresses(
        short: [String], slug: [String] = [], domain: [String] = [], further: [String] = []
    ) -> [SourceLink.Address] {
        let whole = text(of: short).flatMap { SourceLink.Address(url: $0) }
        var found: [SourceLink.Address] = []
        if let slug = text(of: slug) ?? whole?.slug {
            let host = text(of: domain).map { $0.drop(scheme: "://").prefix { $0 != "/" && $0 != ":" } }
            found.append(.init(domain: host.map(String.init) ?? whole?.domain, slug: slug))
        }
        // Those without a domain are on the link's own.
        let host = found.first?.domain
        func add(_ text: String) {
            var address = SourceLink.Address(alias: text)
            if address.domain == nil { address.domain = host }
            found.append(address)
        }
        for name in further {
            if let list = value(name)?.array {
                list.compactMap(\.string).forEach(add)
            } else {
                text(name)?.forEachPart(" ,|") { part in
                    add(part)
                    return found.count < 1_000
                }
            }
        }
        return found
    }

    func moment(_ time: ForeignTime, _ names: String...) -> Timestamp? {
        text(of: names).flatMap(time.timestamp)
    }
}

extension String {
    fileprivate func drop(scheme mark: String) -> Substring {
        firstRange(of: mark).map { self[$0.upperBound...] } ?? self[...]
    }
}
