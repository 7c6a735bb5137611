/// What a rule wants of a visit. All that is given must hold; of several values one is enough; what is empty or nil wants
/// nothing.
package struct RuleCondition: Sendable, Equatable {
    /// `ios` holds for iPhones and iPads.
    package var platforms: [Platform] = []
    package var devices: [Visitor.Device] = []
    /// Families, by their names in explanations.
    package var browsers: [String] = []
    /// Apps with a browser inside, by their names in explanations.
    package var inApps: [String] = []
    /// Whether it is any app's own browser.
    package var isInApp: Bool?
    /// Lower case. `de` holds for `de-AT` too, `de-at` for itself only.
    package var languages: [String] = []
    /// ISO 3166-1 alpha-2, upper case.
    package var countries: [String] = []
    /// Parameters of the click, sorted by name.
    package var query: [Parameter] = []
    package var referrerHosts: [HostPattern] = []
    /// From then on.
    package var after: Timestamp?
    /// Up to then, and no longer.
    package var before: Timestamp?
    /// 1–100: the share of all visitors that is left for this rule by the shares of those ahead of it.
    package var percentage: Int?

    package init() {}

    package struct Parameter: Sendable, Equatable {
        package var name: String
        /// Nil: whatever it is.
        package var values: [String]?
        package init(name: String, values: [String]?) {
            self.name = name
            self.values = values
        }
    }

    /// What of a request the condition looks at, for `Vary`.
    package var looksAt: RuleFields {
        var fields: RuleFields = []
        if !languages.isEmpty { fields.insert(.language) }
        if !countries.isEmpty { fields.insert(.country) }
        if !referrerHosts.isEmpty { fields.insert(.referrer) }
        if percentage != nil { fields.insert(.number) }
        return fields
    }
}

/// What rules look at in a request, besides what every visit is told by.
package struct RuleFields: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let language = RuleFields(rawValue: 1)
    package static let country = RuleFields(rawValue: 2)
    package static let referrer = RuleFields(rawValue: 4)
    /// The visitor's number, which the address is a part of.
    package static let number = RuleFields(rawValue: 8)
}

extension RuleCondition {
    /// What a visit is, as far as rules ask.
    struct Visit {
        let visitor: Visitor
        /// An iPad that calls itself a Mac is looked at as both.
        let platform: Platform
        let now: Timestamp
        /// The visitor's place among all, in hundredths of a percent: 0–9,999.
        let index: Int
        /// The first value of each of the click's parameters; empty where no rule asks.
        let query: [String: String]

        var device: Visitor.Device { platform == .ipad && visitor.platform == .macos ? .tablet : visitor.device }
    }

    /// The first thing that does not hold, in the words of an explanation; nil where all holds.
    ///
    /// - Parameter shares: the percentages of the rules ahead, added up.
    func failure(_ visit: Visit, shares: Int) -> Failure? {
        if !platforms.isEmpty, !platforms.contains(where: { $0.includes(visit.platform) }) { return .platform }
        if !devices.isEmpty, !devices.contains(visit.device) { return .device }
        if !browsers.isEmpty, !browsers.contains(visit.visitor.browser ?? "") { return .browser }
        if !inApps.isEmpty, !inApps.contains(visit.visitor.inApp?.rawValue ?? "") { return .inApp }
        if let isInApp, isInApp != (visit.visitor.inApp != nil) { return .inApp }
        if !languages.isEmpty, !matches(language: visit.visitor.language) { return .language }
        if !countries.isEmpty, !countries.contains(visit.visitor.country ?? "") { return .country }
        if !referrerHosts.isEmpty {
            guard let host = visit.visitor.referrerHost, referrerHosts.contains(where: { $0.holds(host) }) else {
                return .referrerHost
            }
        }
        for parameter in query {
            guard let value = visit.query[parameter.name], parameter.values?.contains(value) ?? true
            else { return .query }
        }
        if let after, visit.now < after { return .after }
        if let before, visit.now >= before { return .before }
        if let percentage {
            let start = shares % 100 * 100
            let distance = (visit.index - start + 10_000) % 10_000
            if distance >= percentage * 100 { return .percentage }
        }
        return nil
    }

    enum Failure: String {
        case platform, device, browser, inApp, language, country, referrerHost, query, after, before, percentage
    }

    private func matches(language: String?) -> Bool {
        guard let language = language?.asciiLowercased else { return false }
        return languages.contains { Self.language($0, covers: language) }
    }

    /// Basic filtering of RFC 4647 (section 3.3.1).
    static func language(_ range: String, covers tag: String) -> Bool {
        tag == range || (tag.hasPrefix(range) && tag.utf8.dropFirst(range.utf8.count).first == UInt8(ascii: "-"))
    }
}

extension Platform {
    /// Whether what is said of this platform is said of the other, too.
    func includes(_ other: Platform) -> Bool { self == other || (self == .ios && other.isApple) }
}

extension [Rule] {
    package var looksAt: RuleFields { reduce(into: []) { $0.formUnion($1.when.looksAt) } }
}
