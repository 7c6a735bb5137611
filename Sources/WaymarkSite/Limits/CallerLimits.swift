package import WaymarkServer

/// Rate limits of callers, by kind of request.
package struct CallerLimits: Sendable, Equatable {
    /// The kinds of requests with limits, as named in the configuration file.
    package enum Kind: String, Sendable, CaseIterable {
        /// `POST /api/v1/links`, and batches by the hundred; by key and address.
        case create
        /// `POST /api/v1/resolve`; by key and address.
        case resolve
        /// Claims of deferred deep links; by key and address.
        case claim
        /// Requests without a valid key to routes that need one; by address.
        case failedAuthentication
        /// Visits with unknown slugs; by address.
        case unknownSlug
        /// Images of QR codes; by address, those of the API by key and address.
        case qrCode
        /// `POST /api/v1/events`; by key and address.
        case event
        /// Click statistics; by key and address.
        case statistics
        /// `POST /api/v1/association/lint` and `…/simulate`; by key and address.
        case association
        /// Lists of links, and ten times as much for those that no index gives; by key and address.
        case list

        /// Identifies the kind in the bucket's name.
        var number: UInt8 { UInt8(truncatingIfNeeded: Self.allCases.firstIndex(of: self) ?? 0) }
    }

    /// Missing kinds are unlimited.
    private var limits: [Kind: RateLimit]
    /// Whether callers on this machine, except proxies, are exempt. Default: true.
    package var exemptsLoopback = true

    package init() {
        limits = Self.usual
    }

    /// Nil if unlimited.
    package subscript(kind: Kind) -> RateLimit? {
        get { limits[kind] }
        set { limits[kind] = newValue }
    }

    /// Generous, because mobile networks put thousands of phones behind one address, but far too low to enumerate slugs
    /// or to fill a store.
    private static let usual: [Kind: RateLimit] = {
        let numbers: [Kind: (perMinute: Int, burst: Int)] = [
            .create: (600, 300), .resolve: (1_200, 600), .claim: (300, 150), .failedAuthentication: (30, 30),
            .unknownSlug: (120, 120), .qrCode: (240, 120), .event: (600, 300), .statistics: (120, 60),
            .association: (120, 60), .list: (1_200, 600),
        ]
        return numbers.compactMapValues { RateLimit(perMinute: $0.perMinute, burst: $0.burst) }
    }()
}
