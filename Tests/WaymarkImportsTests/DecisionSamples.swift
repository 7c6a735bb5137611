import Testing
import WaymarkImports
import WaymarkJSON
import WaymarkLinks

/// A link of another service as it decides after its import, like any link that is visited.
struct ImportedLink {
    let link: Link
    let application: Application
    let notes: [String]

    /// - Parameters:
    ///   - answer: of the service's API.
    ///   - rules: what Shlink answers about rules.
    init(
        _ service: ForeignService, _ answer: JSONValue, rules: JSONValue? = nil,
        into application: Application = Shop.application()
    ) throws {
        var foreign =
            switch service {
            case .dub: ForeignLink.dub(answer, ForeignTime())
            case .shortio: ForeignLink.shortIO(answer, ForeignTime())
            case .rebrandly: ForeignLink.rebrandly(answer, ForeignTime())
            case .shlink: ForeignLink.shlink(answer, ForeignTime())
            default: ForeignLink.kutt(answer, ForeignTime())
            }
        if let rules { foreign.setShlinkRules(rules) }
        try self.init(foreign, into: application)
    }

    init(_ foreign: ForeignLink, into application: Application = Shop.application()) throws {
        let row = Shop.preparation(application).prepare(SourceRow(number: 1, link: foreign))
        let new = try #require(row.link, "\(row.refusal?.reason ?? "")")
        self.init(link: new.link(id: LinkID(rawValue: 7)), application: application, notes: row.notes)
    }

    private init(link: Link, application: Application, notes: [String]) {
        self.link = link
        self.application = application
        self.notes = notes
    }

    /// Where a visit leads; `expired` and so on where it leads nowhere.
    func answer(_ visitor: Visitor, at now: Timestamp = Timestamp(seconds: 1_800_000_000)) -> String {
        switch link.resolve(application: application, visitor: visitor, now: now, clickID: nil) {
        case .redirect(let destination): destination.url
        case .openApp(let opening): opening.open
        case .preview(_, let url): url
        case .distinguishMac, .scan: "a page"
        case .locked: "locked"
        case .nowhere: "nowhere"
        case .disabled: "disabled"
        case .expired: link.expiredURL(application)?.text ?? "expired"
        case .exhausted: "exhausted"
        case .scheduled: "scheduled"
        }
    }
}

/// SplitMix64 (Steele, Lea and Flood, 2014), the same numbers in each run.
struct FixedNumbers: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var word = state
        word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
        word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
        return word ^ (word >> 31)
    }
}
