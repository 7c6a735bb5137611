extension Deeplinking {
    /// Opens a smart link in the app: resolves it and opens its destination with its metadata.
    ///
    /// A smart link that leads to a web page is opened as the app's route with the same path; one without a URL for
    /// this platform is opened as its route.
    ///
    /// - Parameter smartlink: the link's URL, including the query it was opened with.
    /// - Returns: the outcome. `failed` has the resolver's error: nothing was opened, and `currentDeeplink` is the link
    ///   with its error. It is also `notOpened` if another link was opened before the response arrived, and
    ///   `notHandled` as in `open(_:)`.
    @discardableResult
    public func open(smartlink: String) async -> SmartlinkOpening {
        let url = DeepLinkURL(smartlink)
        guard refusal(of: url) == nil else {
            report(.notHandled)
            return .notHandled
        }
        return await resolveAndOpen(
            url, Origin(mayBeRoute: false), turns.begin(), Fallback(opensDefaultRoute: false))
    }

    /// Opens a smart link in the app and calls a completion handler.
    ///
    /// - Parameters:
    ///   - smartlink: the link's URL, including the query it was opened with.
    ///   - completion: called once, on the main actor, after this function has returned. It receives the deep link
    ///     with its metadata if the link was resolved, whether or not it was opened; otherwise nil.
    public func openSmartlink(_ smartlink: String, completion: (@MainActor @Sendable (Deeplink?) -> Void)? = nil) {
        Task {
            let opening = await open(smartlink: smartlink)
            completion?(opening.deeplink)
        }
    }

    // MARK: Web links

    /// Opens a web link passed to the app by the system (a universal link), like `open(_:)`.
    ///
    /// Hosts are compared in full, ignoring user, port and case: `go.example.com.evil.example` is another host.
    ///
    /// - Returns: whether the link was opened or is being resolved; false for anything but `http` and `https` URLs
    ///   with a host.
    @discardableResult
    public func open(web url: some DeepLinkURLConvertible, sceneID: String? = nil) -> Bool {
        let url = url.deepLinkURL
        guard url.isWeb, let host = url.host, !host.isEmpty else { return false }
        return open(url, sceneID: sceneID)
    }

    /// Continues a user activity. Opens browsing activities with a web page, like `open(_:)`. Returns false for any
    /// other activity, which the app may handle itself.
    @discardableResult
    public func continueActivity(_ activity: some BrowsingActivity, sceneID: String? = nil) -> Bool {
        guard activity.activityType == browsingWebActivityType, let page = activity.webpageURL else { return false }
        return open(web: page, sceneID: sceneID)
    }

    /// Continues a user activity like `continueActivity(_:)`, and waits for the outcome.
    ///
    /// - Returns: the outcome; nil if it is not a browsing activity with a web page.
    @discardableResult
    public func open(
        resolving activity: some BrowsingActivity, sceneID: String? = nil
    ) async -> SmartlinkOpening? {
        guard activity.activityType == browsingWebActivityType, let page = activity.webpageURL?.deepLinkURL,
            page.isWeb, page.host?.isEmpty == false
        else { return nil }
        return await open(resolving: page, sceneID: sceneID)
    }

    // MARK: Generating

    /// Creates a smart link that leads to the deep link.
    ///
    /// Throws `DeeplinkingError.routeNotMapped` if the route is not mapped and the link has no URLs of its own,
    /// `.noService` if the router has no creator, `.generationFailed` if the response is empty, and the creator's
    /// errors.
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

    /// Creates a smart link and calls exactly one of two completion handlers, on the main actor, after this function
    /// has returned.
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
