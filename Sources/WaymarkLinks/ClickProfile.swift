/// What clicks of one kind share; compared often, so without a text being looked at.
struct ClickProfile: Equatable, Sendable {
    let kind: VisitorClass
    let destination: Click.Destination
    let isProfiled: Bool
    let country: CountryCode?
    let language: LanguageTag?
    let referrerHost: Click.Name?
    let campaign: Click.Name?

    init(_ click: Click) {
        kind = click.kind
        destination = click.destination
        isProfiled = click.isProfiled
        country = click.country
        language = click.language
        referrerHost = click.referrerHost
        campaign = click.campaign
    }

    /// What is kept of it.
    subscript(field: ClickField) -> String? {
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
        }
    }

    /// Whether visitors are told apart: a program is none.
    var hasVisitor: Bool { isProfiled && kind.bot == nil }

    /// A number of what the class says of a device, the same in each process.
    var deviceCode: Int {
        func place<Value: CaseIterable & Equatable>(_ value: Value?) -> Int {
            var place = 1
            for each in Value.allCases {
                if each == value { return place }
                place += 1
            }
            return 0
        }
        return ((place(kind.platform) * 32 + place(kind.device)) * 32 + place(kind.browser)) * 64 + place(kind.inApp)
    }

    // Names are the same where they are the same object: who keeps a profile keeps them, so no other takes their place in
    // memory meanwhile.
    static func == (one: Self, other: Self) -> Bool {
        one.kind == other.kind && one.destination == other.destination && one.isProfiled == other.isProfiled
            && one.country == other.country && one.language == other.language
            && one.referrerHost === other.referrerHost && one.campaign === other.campaign
    }

    @inline(__always)
    func fold(into hash: inout ByteHash) {
        // Every field of a class is a byte, so that there is no padding between them that could differ.
        withUnsafeBytes(of: kind) { hash.add($0.bytes) }
        hash.fold(Self.word(referrerHost), Self.word(campaign))
        hash.fold(UInt64(country?.rawValue ?? 0), language?.rawValue ?? 0)
    }

    private static func word(_ name: Click.Name?) -> UInt64 {
        guard let name else { return 0 }
        return UInt64(UInt(bitPattern: Unmanaged.passUnretained(name).toOpaque()))
    }
}
