import Synchronization
package import WaymarkLinks
package import WaymarkStores

/// A conversion as reported by an app or a back end.
package struct ReportedConversion: Sendable {
    /// Chosen by the caller, so that it can send the conversion again.
    package var id: String
    package var name: String
    package var at: Timestamp
    /// One of these three leads to the link.
    package var clickID: String?
    package var smartlink: (host: HostName, path: OpenedPath.Target)?
    package var installID: String?
    package var value: (amount: Money, currency: String)?

    package init(
        id: String, name: String, at: Timestamp, clickID: String? = nil,
        smartlink: (host: HostName, path: OpenedPath.Target)? = nil, installID: String? = nil,
        value: (amount: Money, currency: String)? = nil
    ) {
        self.id = id
        self.name = name
        self.at = at
        self.clickID = clickID
        self.smartlink = smartlink
        self.installID = installID
        self.value = value
    }
}

extension LinkService {
    /// How long a conversion's id is known, in milliseconds: 90 days.
    private static let conversionLifetime: Int64 = 90 * 24 * 60 * 60 * 1_000
    private static let aDay: Int64 = 24 * 60 * 60 * 1_000
    /// Applications among which an installation is looked up if the key is for all.
    private static let applicationLimit = 50

    /// Counts conversions, each once; they are stored when this returns.
    ///
    /// Conversions that can't be related to a link are accepted, too: sending them again would not help.
    ///
    /// - Parameters:
    ///   - owner: The application of the key; nil: any. It is part of a conversion's identity.
    ///   - isFromApp: Whether the key may be one that an app ships. What it reports has ids of its own, so that nobody
    ///     who extracts it decides which conversions of a back end count.
    package func record(
        _ reported: [ReportedConversion], for owner: ApplicationID?, isFromApp: Bool = false
    ) async throws(StoreError) -> [EventOutcome] {
        let now = dependencies.now()
        let end = now.advanced(byMilliseconds: Self.conversionLifetime)
        var conversions: [Conversion] = []
        // Clocks of apps are wrong at times, and each day takes a row.
        let (earliest, latest) = (
            now.advanced(byMilliseconds: -Self.conversionLifetime), now.advanced(byMilliseconds: Self.aDay)
        )
        var names = ClickRuleNames()
        for conversion in reported {
            let isCounted =
                !isFromApp
                || appConversionNames.withLock {
                    $0.admit(conversion.name, conversion.value?.currency, of: owner, on: now.day)
                }
            var (link, rule): (LinkID?, ClickedRule?) = (nil, nil)
            if isCounted { (link, rule) = try await origin(of: conversion, &names) }
            conversions.append(
                Conversion(
                    digest: Digest.of(
                        isFromApp ? "app conversion" : "conversion", owner?.text ?? "", conversion.id,
                        sha256: dependencies.sha256),
                    id: conversion.id, name: conversion.name,
                    at: (earliest...latest).contains(conversion.at) ? conversion.at : now, link: link, rule: rule,
                    installations: isCounted && link == nil ? installations(of: conversion, for: owner) : [],
                    application: owner, value: conversion.value, isFromApp: isFromApp, expiresAt: end))
        }
        return try await store.conversions.record(conversions, at: now)
    }

    package func conversions(_ query: ConversionQuery) async throws(StoreError) -> [ConversionGroup] {
        try await store.conversions.conversions(query)
    }

    /// The link, and the rule by which it led on.
    private func origin(
        of conversion: ReportedConversion, _ names: inout ClickRuleNames
    ) async throws(StoreError) -> (LinkID?, ClickedRule?) {
        if let click = conversion.clickID.flatMap({ read(clickID: $0) }) {
            return (click.link, try await rule(of: click, &names))
        }
        return (try await link(of: conversion), nil)
    }

    private func link(of conversion: ReportedConversion) async throws(StoreError) -> LinkID? {
        guard let (host, path) = conversion.smartlink,
            let slug = try await locate(path, at: host, remembering: false)?.slug
        else { return nil }
        return try await cachedOrLoaded(at: host, slug: slug)?.link.id
    }

    /// The digests under which claims know the installation.
    private func installations(of conversion: ReportedConversion, for owner: ApplicationID?) -> [[UInt8]] {
        guard let id = conversion.installID else { return [] }
        let applications = owner.map { [$0] } ?? self.applications.directory.current.applications.map(\.id)
        guard applications.count <= Self.applicationLimit else { return [] }
        return applications.map { digest(ofInstallation: id, of: $0) }
    }
}
