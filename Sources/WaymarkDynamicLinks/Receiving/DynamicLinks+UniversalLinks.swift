public import Foundation
import WaymarkKit

extension DynamicLinks {
    /// Handles a universal link, short or long.
    ///
    /// A short link is resolved by the service, with the client's retries; that takes a redeem if the link has a
    /// redeem limit, and the opening is recorded. A long link is read without the service, unless it has a path behind
    /// the domain's path prefix: the service knows whether that is a short link. Any smart link of the app's domains is
    /// handled, whether or not it was made as a Dynamic Link.
    ///
    /// - Parameters:
    ///   - url: `webpageURL` of the user activity.
    ///   - completion: called once, on the main thread, after this function has returned, also if it returns false.
    ///     It receives the link, or an error: see `DynamicLinksErrorDomain`.
    /// - Returns: whether the URL is a link of the app's domains; the completion has the outcome.
    @preconcurrency
    @discardableResult
    public func handleUniversalLink(
        _ url: URL, completion: @escaping @MainActor (DynamicLink?, (any Error)?) -> Void
    ) -> Bool {
        dynamicLink(fromUniversalLink: url, completion: completion)
        return incoming(url) != nil
    }

    /// Handles a universal link and waits for the outcome. Firebase's SDK had no such form.
    ///
    /// - Returns: the link; nil if the URL is not a link of the app's domains.
    @discardableResult
    public func handleUniversalLink(_ url: URL) async throws -> DynamicLink? {
        guard let incoming = incoming(url) else { return nil }
        return try await link(of: incoming)
    }

    /// The link of a universal link. It is not deprecated here, unlike in Firebase's SDK.
    ///
    /// - Returns: nil unless the URL is a long link of the app's domains without a path behind the path prefix: others need
    ///   the service.
    @discardableResult
    public func dynamicLink(fromUniversalLink url: URL) -> DynamicLink? {
        guard case .long(let long) = incoming(url) else { return nil }
        recordOpen(clickID: long.clickID)
        return long.link
    }

    /// Like `handleUniversalLink(_:completion:)`, for code that does not need to know whether the URL is handled.
    /// Firebase's SDK failed for short links; here they are resolved.
    @preconcurrency
    public func dynamicLink(
        fromUniversalLink url: URL, completion: @escaping @MainActor (DynamicLink?, (any Error)?) -> Void
    ) {
        Self.complete(completion) { try await self.dynamicLink(fromUniversalLink: url) }
    }

    /// The link of a universal link. Throws if the URL is not a link of the app's domains.
    @discardableResult
    public func dynamicLink(fromUniversalLink url: URL) async throws -> DynamicLink {
        guard let incoming = incoming(url) else { throw unrecognized(url) }
        return try await link(of: incoming)
    }

    // MARK: Short links

    /// Whether the URL is a short link: on one of the app's domains, behind its path prefix, with a path and without
    /// the parameter `link`. Paths under `/link/dismiss` are not.
    ///
    /// Firebase's SDK also accepted each host under `page.link`, which Google no longer serves.
    @discardableResult
    public func matchesShortLinkFormat(_ url: URL) -> Bool {
        if case .short = incoming(url) { true } else { false }
    }

    /// Resolves a short link and records the opening. This takes no redeem, because the returned URL can't carry the
    /// link's metadata; `handleUniversalLink` returns it.
    ///
    /// - Parameter completion: called once, on the main thread. It receives a URL with the app's own scheme,
    ///   `<scheme>://google/link/?deep_link_id=…`, for `dynamicLink(fromCustomSchemeURL:)`, or an error. Firebase's SDK
    ///   called it on another thread.
    @preconcurrency
    public func resolveShortLink(
        _ url: URL, completion: @escaping @MainActor (URL?, (any Error)?) -> Void
    ) {
        Self.complete(completion) { try await self.resolveShortLink(url) }
    }

    /// Resolves a short link and returns the URL with the app's own scheme.
    @discardableResult
    public func resolveShortLink(_ url: URL) async throws -> URL {
        guard let incoming = incoming(url) else { throw unrecognized(url) }
        let link = try await link(of: incoming, redeem: false)
        guard let resolved = CustomSchemeLink.url(of: link, scheme: configuration.scheme) else {
            throw DynamicLinksFailure(.other, "The app's URL scheme '\(configuration.scheme)' is not valid.").error
        }
        return resolved
    }

    // MARK: Reading

    /// A URL of the app's domains.
    enum Incoming {
        case short(DeepLinkURL)
        case long(LongLink)
        /// A long link with a path, or a short one whose query has `link`. Only the service knows the short ones, and
        /// whether the application serves this long one.
        case either(DeepLinkURL, LongLink)
    }

    func incoming(_ url: URL) -> Incoming? {
        let url = url.deepLinkURL
        guard let rest = configuration.domains.path(of: url) else { return nil }
        let long = LongLink(url)
        guard rest.utf8.count > 1 else { return long.map { .long($0) } }
        guard !url.path.lowercased().hasPrefix("/link/dismiss") else { return nil }
        return long.map { .either(url, $0) } ?? .short(url)
    }

    private func link(of incoming: Incoming, redeem: Bool = true) async throws -> DynamicLink {
        switch incoming {
        case .long(let long):
            recordOpen(clickID: long.clickID)
            return long.link
        case .short(let url):
            let link = try await resolve(url, redeem: redeem)
            let (_, service) = url.separatingServiceParameters()
            try client().recordOpen(clickID: service.clickID, smartlink: url.text)
            return link
        case .either(let url, let long):
            let link = try await resolve(url, redeem: redeem)
            // As a long link, the URL is not that of the short link with this path.
            let smartlink = link.url == long.link.url ? nil : url.text
            try client().recordOpen(clickID: long.clickID, smartlink: smartlink)
            return link
        }
    }

    private func resolve(_ url: DeepLinkURL, redeem: Bool) async throws -> DynamicLink {
        let client = try client()
        do {
            return DynamicLink(
                try await client.resolve(.smartlink(url.text), redeem: redeem, appVersion: Self.oldestVersion))
        } catch {
            throw DynamicLinksFailure(error, of: url).error
        }
    }

    /// The service names a link's minimum version to apps that are older, so this version gets it in any case.
    static let oldestVersion = "0"

    private func unrecognized(_ url: URL) -> NSError {
        if let problem = configuration.problem, configuration.domains.isEmpty {
            return DynamicLinksFailure(.notConfigured, problem).error
        }
        let domains = configuration.domains.description
        return DynamicLinksFailure(
            .unrecognizedURL, "\(url.deepLinkURL.textWithoutQuery) is not a link of the app's domains (\(domains))."
        ).error
    }
}

extension DynamicLink {
    convenience init(_ response: ResolveResponse) {
        self.init(
            url: response.deeplink.flatMap { URL(string: $0) }, minimumAppVersion: response.update?.minimumVersion,
            parameters: response.queryParameters, metadata: response.metadata.map(DeeplinkMetadata.init(json:)))
    }
}
