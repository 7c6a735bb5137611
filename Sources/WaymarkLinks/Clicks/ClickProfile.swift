import WaymarkBytes

/// What clicks of one kind share.
@usableFromInline
package struct ClickProfile: Sendable {
    /// The host of the page with the link.
    @usableFromInline let referrerHost: Click.Name?
    @usableFromInline let campaign: Click.Name?
    @usableFromInline let language: LanguageTag?
    @usableFromInline package var country: CountryCode?
    @usableFromInline let kind: VisitorClass
    @usableFromInline let destination: Click.Destination
    /// False where the visitor asks not to be followed (`DNT`, `Sec-GPC`): the click is counted, and nothing else kept.
    @usableFromInline package let isProfiled: Bool

    @inlinable @inline(__always)
    init(
        referrerHost: Click.Name?, campaign: Click.Name?, language: LanguageTag?, country: CountryCode?,
        kind: VisitorClass, destination: Click.Destination, isProfiled: Bool
    ) {
        self.referrerHost = referrerHost
        self.campaign = campaign
        self.language = language
        self.country = country
        self.kind = kind
        self.destination = destination
        self.isProfiled = isProfiled
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

    /// Other words for each other profile, as long as this one is kept: its names are told apart by where they lie, and
    /// nothing else comes to lie there meanwhile. Compared and looked up with every click, where references would be counted.
    struct Identity: Equatable, Sendable {
        private let referrerHost: UInt
        private let campaign: UInt
        private let language: UInt64
        private let kind: UInt64
        private let rest: UInt32

        @inline(__always)
        init(_ profile: borrowing ClickProfile) {
            referrerHost = Self.index(of: profile.referrerHost)
            campaign = Self.index(of: profile.campaign)
            language = profile.language?.rawValue ?? 0
            // Safety: both buffers are read within their closures. Every field of a class is a byte, so there is no
            // padding between them that could be uninitialised or differ; a destination is one byte or more.
            kind = unsafe withUnsafeBytes(of: profile.kind) { bytes in
                assert(bytes.count <= 8, "a class no longer fits a word")
                return unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }
            }
            rest =
                unsafe UInt32(profile.country?.rawValue ?? 0) << 16
                | withUnsafeBytes(of: profile.destination) { unsafe UInt32($0[0]) << 8 } | (profile.isProfiled ? 1 : 0)
        }

        @inline(__always)
        func fold(into hash: inout ByteHash) {
            hash.fold(UInt64(referrerHost), UInt64(campaign))
            hash.fold(kind, language)
            hash.fold(UInt64(rest), 0)
        }

        // Safety: a name is nil or one reference, which is a word. The word is compared and hashed, never followed.
        @inline(__always)
        private static func index(of name: Click.Name?) -> UInt { unsafe unsafeBitCast(name, to: UInt.self) }
    }
}
