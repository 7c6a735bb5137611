package import WaymarkServer

/// What callers may ask for, by what they ask.
package struct CallerLimits: Sendable, Equatable {
    /// What is limited; the names are those of the configuration file.
    package enum Kind: String, Sendable, CaseIterable {
        /// `POST /api/v1/links`, and batches by the hundred; by key and address.
        case create
        /// `POST /api/v1/resolve`; by key and address.
        case resolve
        /// Claims of deferred deep links; by key and address.
        case claim
        /// Requests without an accepted key where one is needed; by address.
        case failedAuthentication
        /// Visits of slugs that no link has; by address.
        case unknownSlug
        /// Pictures of QR codes; by address.
        case qrCode
        /// `POST /api/v1/events`; by key and address.
        case event
        /// Statistics of clicks; by key and address.
        case statistics
        /// `POST /api/v1/association/lint` and `…/simulate`; by key and address.
        case association

        /// For the bucket's name.
        var number: UInt8 { UInt8(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0) }
    }

    /// Those that are missing are not limited.
    private var limits: [Kind: RateLimit]
    /// Whether callers on this machine, who ask for themselves, are not limited. Default: true.
    package var exemptsLoopback = true

    package init() {
        limits = Self.usual
    }

    /// Nil for what is not limited.
    package subscript(kind: Kind) -> RateLimit? {
        get { limits[kind] }
        set { limits[kind] = newValue }
    }

    /// Generous where a mobile network puts thousands of phones behind one address; still far below what it takes to
    /// walk through slugs or to fill a store.
    private static let usual: [Kind: RateLimit] = {
        let numbers: [Kind: (perMinute: Int, burst: Int)] = [
            .create: (600, 300), .resolve: (1_200, 600), .claim: (300, 150), .failedAuthentication: (30, 30),
            .unknownSlug: (120, 120), .qrCode: (240, 120), .event: (600, 300), .statistics: (120, 60),
            .association: (120, 60),
        ]
        return numbers.compactMapValues { RateLimit(perMinute: $0.perMinute, burst: $0.burst) }
    }()
}
