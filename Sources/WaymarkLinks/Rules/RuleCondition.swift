import WaymarkBytes

/// What a rule wants of a visit. All that is given must hold; of several values one is enough; what is empty or nil wants
/// nothing.
package struct RuleCondition: Sendable, Equatable {
    /// `ios` matches iPhones and iPads.
    package var platforms: [Platform] = []
    package var devices: [Visitor.Device] = []
    /// Browser families, as named in explanations.
    package var browsers: [String] = []
    /// Apps with in-app browsers, as named in explanations.
    package var inApps: [String] = []
    /// Whether it is the in-app browser of any app.
    package var isInApp: Bool?
    /// Lower case. `de` also matches `de-AT`, `de-at` only itself.
    package var languages: [String] = []
    /// ISO 3166-1 alpha-2, upper case.
    package var countries: [String] = []
    /// Parameters of the click, sorted by name.
    package var query: [Parameter] = []
    package var referrerHosts: [HostPattern] = []
    /// Packages of Android apps that visitors came from, instead of from a page.
    package var referrerApps: [String] = []
    /// Stores that the visitor's device has.
    package var stores: [Visitor.Store] = []
    /// Inclusive.
    package var after: Timestamp?
    /// Exclusive.
    package var before: Timestamp?
    /// 1–100: the percentage of all visitors for this rule, after the shares of the preceding rules.
    package var percentage: Int?

    package init() {}

    package struct Parameter: Sendable, Equatable {
        package var name: String
        /// Nil: any value.
        package var values: [String]?
        package init(name: String, values: [String]?) {
            self.name = name
            self.values = values
        }
    }

    /// The request's fields that the condition depends on, for `Vary`.
    package var looksAt: RuleFields {
        var fields: RuleFields = []
        if !languages.isEmpty { fields.insert(.language) }
        if !countries.isEmpty { fields.insert(.country) }
        if !referrerHosts.isEmpty || !referrerApps.isEmpty { fields.insert(.referrer) }
        if percentage != nil { fields.insert(.number) }
        return fields
    }
}

/// The request fields that rules depend on, beyond those that every visit depends on.
package struct RuleFields: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let language = RuleFields(rawValue: 1)
    package static let country = RuleFields(rawValue: 2)
    package static let referrer = RuleFields(rawValue: 4)
    /// The visitor's number, which is derived from the address.
    package static let number = RuleFields(rawValue: 8)
}

extension RuleCondition {
    /// The properties of a visit used by rules.
    struct Visit {
        let visitor: Visitor
        /// An iPad that identifies as a Mac is checked as both.
        let platform: Platform
        let now: Timestamp
        /// The visitor's position among all, in hundredths of a percent: 0–9,999.
        let index: Int
        /// The first value of each of the click's parameters; empty if no rule uses them.
        let query: [String: String]
        /// The visitor's, in lower case.
        fileprivate let language: String?

        init(visitor: Visitor, platform: Platform, now: Timestamp, index: Int, query: [String: String]) {
            self.visitor = visitor
            self.platform = platform
            self.now = now
            self.index = index
            self.query = query
            language = visitor.language?.asciiLowercased
        }

        var device: Visitor.Device { platform == .ipad && visitor.platform == .macos ? .tablet : visitor.device }
    }

    /// The first condition that does not match, as named in explanations; nil if all match.
    ///
    /// - Parameter shares: the sum of the percentages of the preceding rules.
    func failure(_ visit: Visit, shares: Int) -> Failure? {
        if !platforms.isEmpty, !platforms.contains(where: { $0.includes(visit.platform) }) { return .platform }
        if !devices.isEmpty, !devices.contains(visit.device) { return .device }
        if !browsers.isEmpty, !browsers.contains(visit.visitor.browser ?? "") { return .browser }
        if !inApps.isEmpty, !inApps.contains(visit.visitor.inApp?.rawValue ?? "") { return .inApp }
        if let isInApp, isInApp != (visit.visitor.inApp != nil) { return .inApp }
        if !languages.isEmpty {
            guard let language = visit.language, languages.contains(where: { Self.language($0, covers: language) })
            else { return .language }
        }
        if !countries.isEmpty, !countries.contains(visit.visitor.country ?? "") { return .country }
        if !stores.isEmpty, visit.visitor.store.map(stores.contains) != true { return .store }
        if !matches(referrer: visit.visitor) { return .referrerHost }
        for parameter in query {
            guard let value = visit.query[parameter.name], parameter.values?.contains(value) ?? true
            else { return .query }
        }
        if let after, visit.now < after { return .after }
        if let before, visit.now >= before { return .before }
        if let percentage, !Self.share(of: percentage, after: shares, holds: visit.index) { return .percentage }
        return nil
    }

    /// Whether a visitor at this place of all is in a share.
    ///
    /// - Parameter shares: the sum of the percentages of the preceding rules.
    static func share(of percentage: Int, after shares: Int, holds index: Int) -> Bool {
        let start = shares % 100 * 100
        return (index - start + 10_000) % 10_000 < percentage * 100
    }

    enum Failure: String {
        case platform, device, browser, inApp, store, language, country, referrerHost, query, after, before, percentage
    }

    private func matches(referrer visitor: Visitor) -> Bool {
        if referrerHosts.isEmpty, referrerApps.isEmpty { return true }
        if let host = visitor.referrerHost, referrerHosts.contains(where: { $0.holds(host) }) { return true }
        return visitor.referrerApp.map(referrerApps.contains) == true
    }

    /// Basic filtering of RFC 4647, section 3.3.1.
    static func language(_ range: String, covers tag: String) -> Bool {
        tag == range || (tag.hasPrefix(range) && tag.utf8.dropFirst(range.utf8.count).first == UInt8(ascii: "-"))
    }
}

extension Platform {
    /// Whether a condition on this platform also matches the other one.
    func includes(_ other: Platform) -> Bool { self == other || (self == .ios && other.isApple) }
}

extension [Rule] {
    package var looksAt: RuleFields { reduce(into: []) { $0.formUnion($1.when.looksAt) } }
}

/// ISO 3166-1 alpha-2: two upper-case letters.
@usableFromInline
package struct CountryCode: RawRepresentable, Hashable, Sendable {
    /// The first letter in the high byte.
    @usableFromInline package let rawValue: UInt16

    @inlinable package init(rawValue: UInt16) { self.rawValue = rawValue }

    /// The letters may be in any case; nil for anything else, and for `XX`, which means unknown.
    package init?(_ first: UInt8, _ second: UInt8) {
        guard first.isLetter, second.isLetter else { return nil }
        rawValue = UInt16(first & 0xDF) << 8 | UInt16(second & 0xDF)
        if rawValue == 0x5858 { return nil }
    }

    /// Of clicks whose country was left out: `ClickField.rest`.
    static let rest = CountryCode(rawValue: 1)

    package var text: String {
        if self == .rest { return ClickField.rest }
        return String(decoding: [UInt8(rawValue >> 8), UInt8(truncatingIfNeeded: rawValue)], as: UTF8.self)
    }
}

/// A language and, where it is told, the region whose variety it is: `en`, `pt-BR`, `es-419`. Scripts and variants are
/// left out, so that few people share none with anybody.
@usableFromInline
package struct LanguageTag: RawRepresentable, Hashable, Sendable {
    /// The letters, starting at the lowest byte; the rest is zero.
    @usableFromInline package let rawValue: UInt64

    @inlinable package init(rawValue: UInt64) { self.rawValue = rawValue }

    /// - Parameter text: an entry of `Accept-Language` (RFC 5646); nil if it does not begin with a language.
    package init?(_ text: String) {
        let subtags = text.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        guard let language = subtags.first, (2...3).contains(language.count), language.allSatisfy(\.isLetter)
        else { return nil }
        var bytes = language.map(\.lowercased)
        // Only extensions and private subtags follow a single-character subtag (RFC 5646, section 2.1).
        let region = subtags.dropFirst().prefix { $0.count > 1 }.first { subtag in
            subtag.count == 2 && subtag.allSatisfy(\.isLetter)
                || subtag.count == 3 && subtag.allSatisfy(\.isDigit)
        }
        if let region {
            bytes.append(UInt8(ascii: "-"))
            bytes.append(contentsOf: region.map { $0.isDigit ? $0 : $0 & 0xDF })
        }
        rawValue = bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// A language range (RFC 4647, section 2.1) in lower case, up to the length of tags in use; nil if the text is none.
    package static func range(_ text: String) -> String? {
        let tag = text.asciiLowercased
        let parts = tag.split(separator: "-", omittingEmptySubsequences: false)
        let isTag =
            (2...8).contains(parts[0].utf8.count) && parts[0].utf8.allSatisfy(\.isLetter)
            && parts.allSatisfy { (1...8).contains($0.utf8.count) && $0.utf8.allSatisfy(\.isAlphanumeric) }
        return isTag && tag.utf8.count <= 35 ? tag : nil
    }

    /// Of clicks whose language was left out.
    static let rest = LanguageTag(rawValue: ClickField.rest.utf8.reversed().reduce(0) { $0 << 8 | UInt64($1) })

    package var text: String {
        var bytes: [UInt8] = []
        var rest = rawValue
        while rest > 0 {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
