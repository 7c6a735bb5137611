/// The properties shared by similar clicks.
@usableFromInline
package struct ClickProfile: Sendable {
    /// The host of the referring page.
    @usableFromInline package let referrerHost: Click.Name?
    @usableFromInline package let campaign: Click.Name?
    /// 0 for none: an optional would take a byte more, and a word with what pads it.
    @usableFromInline let languageBits: UInt64
    @usableFromInline package let rule: ClickRule
    @usableFromInline var countryBits: UInt16
    @usableFromInline package let kind: VisitorClass
    @usableFromInline package let destination: Click.Destination
    /// In one byte, so that a click still fits a cache line: in the lowest bit whether the visitor does not send `DNT` or
    /// `Sec-GPC`, above it the level of detail.
    @usableFromInline package let storing: UInt8

    @inlinable @inline(__always)
    init(
        referrerHost: Click.Name?, campaign: Click.Name?, language: LanguageTag?, country: CountryCode?,
        kind: VisitorClass, destination: Click.Destination, rule: ClickRule, isProfiled: Bool,
        detail: ClickDetail = .full
    ) {
        self.referrerHost = referrerHost
        self.campaign = campaign
        languageBits = language?.rawValue ?? 0
        self.rule = rule
        countryBits = country?.rawValue ?? 0
        self.kind = kind
        self.destination = destination
        storing = (isProfiled ? 1 : 0) | detail.level << 1
    }

    /// False if the visitor sends `DNT` or `Sec-GPC`: the click is counted, but nothing else is stored.
    package var isProfiled: Bool { storing & 1 != 0 }

    private var detail: ClickDetail { ClickDetail(level: storing >> 1) ?? .countOnly }

    /// Whether a record is stored.
    package var isRecorded: Bool { storing >> 1 < ClickDetail.countOnly.level }

    package var language: LanguageTag? { languageBits == 0 ? nil : LanguageTag(rawValue: languageBits) }

    package var country: CountryCode? {
        get { countryBits == 0 ? nil : CountryCode(rawValue: countryBits) }
        set { countryBits = newValue?.rawValue ?? 0 }
    }

    /// The same without values that visitors choose freely, of which there may be any number.
    package var withoutVisitorsChoices: ClickProfile {
        ClickProfile(
            referrerHost: referrerHost == nil ? nil : .rest, campaign: campaign?.isVisitors == true ? .rest : campaign,
            language: language == nil ? nil : .rest, country: country, kind: kind, destination: destination,
            rule: rule, isProfiled: isProfiled, detail: detail)
    }

    /// The same with only what a few thousand combinations exist of.
    package var withoutNames: ClickProfile {
        ClickProfile(
            referrerHost: referrerHost == nil ? nil : .rest, campaign: campaign == nil ? nil : .rest,
            language: language == nil ? nil : .rest, country: country == nil ? nil : .rest, kind: kind,
            destination: destination, rule: rule == .none ? .none : .rest, isProfiled: isProfiled, detail: detail)
    }

    /// The stored value of a field.
    package subscript(field: ClickField) -> String? {
        guard isProfiled || field == .bot else { return nil }
        return switch field {
        case .platform: kind.platform.rawValue
        case .device: kind.device.rawValue
        case .browser: kind.browser?.rawValue
        case .inApp: kind.inApp?.rawValue
        case .bot: kind.bot?.rawValue
        case .language: language?.text
        case .country: country?.text
        case .referrerHost: referrerHost?.text
        case .campaign: campaign?.text
        case .destination: destination.rawValue
        case .rule: rule.text
        case .variant: rule.variant
        }
    }

    /// Whether a visitor is identified; programs are not.
    package var hasVisitor: Bool { isProfiled && detail == .full && kind.bot == nil }

    /// A number for the device's properties, the same in each process.
    package var deviceCode: Int {
        func index<Value: CaseIterable & Equatable>(_ value: Value?) -> Int {
            var index = 1
            for each in Value.allCases {
                if each == value { return index }
                index += 1
            }
            return 0
        }
        return ((index(kind.platform) * 32 + index(kind.device)) * 32 + index(kind.browser)) * 64 + index(kind.inApp)
    }
}
