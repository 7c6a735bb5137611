/// Packs the clicks of one link on one day into a block (`ClickBlock+Contents` reads it).
///
/// What a visitor is known by is made less telling here: the address goes into a hash, times are whole seconds, and of
/// those who ask not to be followed only the hour and the kind of program remain. Bytes: the form's number; the names,
/// each once; the profiles, each a row of places among the names; then for each click the seconds since the one before,
/// its profile, and its visitor plus one, or zero.
package struct ClickBlockWriter {
    /// Clicks in one block at most, so that nobody who reads one holds more.
    package static let capacity = 4_096

    package let link: LinkID
    package let day: Int
    package private(set) var count = 0
    private var names: [String: UInt64] = [:]
    private var profiles: [Profile: UInt64] = [:]
    /// The profiles as they are written: names that are two objects may be one text.
    private var rows: [[UInt8]: UInt64] = [:]
    private var nameList = BinaryWriter()
    private var profileList = BinaryWriter()
    private var clicks = BinaryWriter()
    private var previous: Int64
    private var latest: (profile: Profile, place: UInt64)?

    package init(link: LinkID, day: Int) {
        self.link = link
        self.day = day
        previous = Int64(day) * Timestamp.secondsOfDay
    }

    /// - Parameters:
    ///   - click: of this link on this day.
    ///   - salt: the day's; nil keeps nothing that tells visitors apart.
    package mutating func add(_ click: Click, salt: SipHash?) {
        let profile = Profile(click)
        let second = click.isProfiled ? click.time.seconds : click.time.seconds / 3600 * 3600
        clicks.signed(second - previous)
        previous = second
        clicks.number(place(of: profile))
        // A program is no visitor.
        let visitor = click.isProfiled && click.isPersons ? salt.map { Self.visitor(click, $0) } : nil
        clicks.number(visitor.map { $0 + 1 } ?? 0)
        count += 1
    }

    package func block(number: Int64) -> ClickBlock {
        var writer = BinaryWriter()
        writer.byte(ClickBlock.form)
        writer.number(UInt64(names.count))
        writer.append(nameList)
        writer.number(UInt64(rows.count))
        writer.append(profileList)
        writer.number(UInt64(count))
        writer.append(clicks)
        return ClickBlock(key: ClickBlock.Key(link: link, day: day, number: number), bytes: writer.bytes)
    }

    private static func visitor(_ click: Click, _ salt: SipHash) -> UInt64 {
        let kind = UInt64(truncatingIfNeeded: Profile.code(of: click.kind))
        return salt.hash(click.address.high, click.address.low, kind) & 0xFF_FFFF_FFFF
    }

    private mutating func place(of profile: Profile) -> UInt64 {
        if let latest, latest.profile == profile { return latest.place }
        let place = profiles[profile] ?? write(profile)
        latest = (profile, place)
        return place
    }

    private mutating func write(_ profile: Profile) -> UInt64 {
        var row = BinaryWriter()
        for field in ClickField.allCases { row.number(profile[field].map { self.place(of: $0) + 1 } ?? 0) }
        let place = rows[row.bytes] ?? UInt64(rows.count)
        if place == rows.count {
            rows[row.bytes] = place
            profileList.append(row)
        }
        profiles[profile] = place
        return place
    }

    private mutating func place(of name: String) -> UInt64 {
        if let known = names[name] { return known }
        nameList.text(name)
        let place = UInt64(names.count)
        names[name] = place
        return place
    }
}

/// What clicks of one kind share; compared often, so without a text being looked at.
private struct Profile: Hashable {
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

    /// A number of what the class says of a device, the same in each process.
    static func code(of kind: VisitorClass) -> Int {
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

    // Names are the same where they are the same object: the key keeps them, so no other takes their place in memory.
    static func == (one: Profile, other: Profile) -> Bool {
        one.kind == other.kind && one.destination == other.destination && one.isProfiled == other.isProfiled
            && one.country == other.country && one.language == other.language
            && one.referrerHost === other.referrerHost && one.campaign === other.campaign
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(destination)
        hasher.combine(country)
        hasher.combine(language)
        hasher.combine(referrerHost.map(ObjectIdentifier.init))
        hasher.combine(campaign.map(ObjectIdentifier.init))
    }
}
