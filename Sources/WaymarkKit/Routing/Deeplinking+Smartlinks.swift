extension Deeplinking {
    /// Opens a smart link inside of the app: asks the service where it leads, and opens that with its metadata.
    ///
    /// A smart link that leads to a web page is opened as the app's route of the same path; one that has no URL for this
    /// platform, as its route.
    ///
    /// - Parameter smartlink: the link's URL, with the query that it was opened with.
    /// - Returns: how it ended. `failed` has the resolver's error; nothing was opened then, and `currentDeeplink` is as it
    ///   was. `notOpened` too where another link was opened before the answer came.
    @discardableResult
    public func open(smartlink: String) async -> SmartlinkOpening {
        await resolveAndOpen(smartlink, Origin(), turns.begin(), opensDefaultRoute: false)
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

    // MARK: Web links

    /// Opens a web link that the system handed to the app (a universal link), as `open(_:)` does.
    ///
    /// Hosts are compared whole, without user, port and case: `go.example.com.evil.example` is another host.
    ///
    /// - Returns: whether the link was opened, or is being resolved; false for anything but `http` and `https` with a host.
    @discardableResult
    public func open(web url: some DeepLinkURLConvertible) -> Bool {
        let url = url.deepLinkURL
        guard url.isWeb, let host = url.host, !host.isEmpty else { return false }
        return open(url)
    }

    /// Continues an activity of the system. Only browsing the web with a web page is taken, as `open(_:)` does; for
    /// anything else the answer is false and the app may look at it itself.
    @discardableResult
    public func continueActivity(_ activity: some BrowsingActivity) -> Bool {
        guard activity.activityType == browsingWebActivityType, let page = activity.webpageURL else { return false }
        return open(web: page)
    }

    /// Continues an activity of the system as `continueActivity(_:)` does, and returns when that has ended.
    ///
    /// - Returns: how it ended; nil where the activity is none of browsing the web.
    @discardableResult
    public func open(resolving activity: some BrowsingActivity) async -> SmartlinkOpening? {
        guard activity.activityType == browsingWebActivityType, let page = activity.webpageURL?.deepLinkURL,
            page.isWeb, page.host?.isEmpty == false
        else { return nil }
        return await open(resolving: page)
    }

    // MARK: Generating

    /// Has the service make a smart link that leads to the deep link.
    ///
    /// Throws `DeeplinkingError.routeNotMapped` where the route is not mapped and the link has no URLs of its own,
    /// `.noService` where the router was made without a creator, `.generationFailed` for an empty answer, and what the
    /// creator throws.
    ///
    /// - Returns: the smart link's URL.
    public func generateSmartlink(for deeplink: Deeplink) async throws -> String {
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
        for deeplink: Deeplink, success: @escaping @MainActor @Sendable (String) -> Void,
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
