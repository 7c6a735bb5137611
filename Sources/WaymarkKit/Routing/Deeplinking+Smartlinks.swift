import WaymarkAPI

extension Deeplinking {
    /// Opens a smart link inside of the app: asks the service where it leads, and opens that with its metadata.
    ///
    /// A smart link that leads to a web page is opened as the app's route of the same path; one that has no URL for this
    /// platform, as its route.
    ///
    /// - Parameter smartlink: the link's URL, with the query that it was opened with.
    /// - Returns: how it ended, with the resolver's error where it failed. Nothing was opened and `currentDeeplink` is as
    ///   it was in that case.
    @discardableResult
    public func open(smartlink: String) async -> SmartlinkOpening {
        guard let resolver else { return .failed(DeeplinkingError.noService) }
        let answer: ResolveAnswer
        do {
            answer = try await resolver.resolve(.smartlink(smartlink))
        } catch {
            return .failed(error)
        }
        let opening = opening(
            of: url(of: answer), metadata: answer.metadata.map(DeeplinkMetadata.init(json:)), smartlink: smartlink,
            update: answer.update)
        return perform(opening) ? .opened(opening.deeplink) : .notOpened(opening.deeplink)
    }

    /// Opens a smart link inside of the app, for callers that do not wait.
    ///
    /// - Parameters:
    ///   - smartlink: the link's URL, with the query that it was opened with.
    ///   - completion: is called once, on the main actor and never before this function has returned: with the deep link and
    ///     its metadata where the link was resolved, whether it was opened or not; with nil where it was not.
    public func openSmartlink(_ smartlink: String, completion: (@MainActor @Sendable (Deeplink?) -> Void)? = nil) {
        Task {
            let opening = await open(smartlink: smartlink)
            completion?(opening.deeplink)
        }
    }

    func url(of answer: ResolveAnswer) -> DeepLinkURL {
        if let deeplink = answer.deeplink {
            let url = DeepLinkURL(deeplink)
            return url.isWeb ? url.asAppLink(scheme: scheme) : url
        }
        let path = answer.route.flatMap { RouteFormat($0).filled(answer.routeParameters) } ?? ""
        let query = QueryParameters(answer.queryParameters)
        return DeepLinkURL(
            scheme: scheme, authority: "", path: "/" + path, query: query.isEmpty ? nil : query.text)
    }

    // MARK: Web links

    /// Opens a web link that the system handed to the app (a universal link).
    ///
    /// A link whose host is one of `domains` is a smart link: it is resolved and opened, and the answer is true at once;
    /// where resolving fails, the default route opens. A link of any other host opens as a URL of the app: its path and
    /// query behind the app's first scheme.
    ///
    /// Hosts are compared whole, without user, port and case: `go.example.com.evil.example` is another host.
    ///
    /// - Returns: whether the link was opened, or is being resolved; false for anything but `http` and `https` with a host.
    @discardableResult
    public func open(web url: some DeepLinkURLConvertible) -> Bool {
        let url = url.deepLinkURL
        guard url.isWeb, let host = url.host, !host.isEmpty else { return false }
        guard domains.contains(host.lowercased()) else { return open(url.asAppLink(scheme: scheme)) }
        Task {
            if case .failed = await open(smartlink: url.text) { open("") }
        }
        return true
    }

    /// Continues an activity of the system. Only browsing the web with a web page is taken, as `open(web:)` does; for
    /// anything else the answer is false and the app may look at it itself.
    @discardableResult
    public func continueActivity(_ activity: some BrowsingActivity) -> Bool {
        guard activity.activityType == browsingWebActivityType, let page = activity.webpageURL else { return false }
        return open(web: page)
    }

    /// HOKO's name for an app without schemes; it is never looked at when routes are matched.
    private var scheme: String { urlSchemes.first ?? "app" }

    // MARK: Generating

    /// Has the service make a smart link that leads to the deep link.
    ///
    /// Throws `DeeplinkingError.noDeeplink` for nil (a deep link for which a route parameter was missing),
    /// `.routeNotMapped` where the route is not mapped and the link has no URLs of its own, `.noService` where the router
    /// was made without a creator, `.generationFailed` for an empty answer, and what the creator throws.
    ///
    /// - Returns: the smart link's URL.
    public func generateSmartlink(for deeplink: Deeplink?) async throws -> String {
        guard let deeplink else { throw DeeplinkingError.noDeeplink }
        guard !deeplink.urls.isEmpty || deeplink.route.map(isMapped) == true else {
            throw DeeplinkingError.routeNotMapped(deeplink.route ?? "")
        }
        guard let creator else { throw DeeplinkingError.noService }
        let smartlink = try await creator.createSmartlink(deeplink.linkBody)
        guard !smartlink.isEmpty else { throw DeeplinkingError.generationFailed }
        return smartlink
    }

    /// Has the service make a smart link, for callers that do not wait. Exactly one of the two is called, on the main actor
    /// and never before this function has returned.
    public func generateSmartlink(
        for deeplink: Deeplink?, success: @escaping @MainActor @Sendable (String) -> Void,
        failure: @escaping @MainActor @Sendable (any Error) -> Void
    ) {
        Task {
            do {
                success(try await generateSmartlink(for: deeplink))
            } catch {
                failure(error)
            }
        }
    }
}
