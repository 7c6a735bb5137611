public import WaymarkAPI

extension WaymarkClient: SmartlinkResolving, SmartlinkCreating {
    /// Resolves a smart link to its destination and metadata. This takes a redeem if the link has a redeem limit.
    ///
    /// Equal concurrent calls count as one request.
    ///
    /// - Parameter subject: the smart link as it was opened, with its query, or the click's ID.
    public func resolve(_ subject: ResolveRequest.Subject) async throws(WaymarkClientError) -> ResolveResponse {
        try await resolve(subject, redeem: true)
    }

    /// Resolves a smart link.
    ///
    /// - Parameters:
    ///   - subject: the smart link as it was opened, with its query, or the click's ID.
    ///   - redeem: false to get everything except the metadata, without taking a redeem.
    public func resolve(
        _ subject: ResolveRequest.Subject, redeem: Bool
    ) async throws(WaymarkClientError) -> ResolveResponse {
        try await resolve(subject, redeem: redeem, appVersion: options.appVersion)
    }

    /// Resolves a smart link as another version of the app.
    package func resolve(
        _ subject: ResolveRequest.Subject, redeem: Bool = true, appVersion: String?
    ) async throws(WaymarkClientError) -> ResolveResponse {
        let body = ResolveRequest(
            subject, platform: options.platform.rawValue, redeem: redeem, appVersion: appVersion)
        return try await requests.post(Endpoint.resolve, body.json, isShared: true) { ResolveResponse(json: $0) }
    }

    /// Creates a smart link and returns its URL.
    ///
    /// If `app` is nil, the options' application is used. Equal concurrent calls create one link each, unless the
    /// body requests a unique one.
    public func createSmartlink(_ link: LinkRequest) async throws(WaymarkClientError) -> String {
        try await createLink(link).smartlink
    }

    /// Creates a smart link and returns the service's complete response.
    public func createLink(_ link: LinkRequest) async throws(WaymarkClientError) -> LinkResponse {
        var link = link
        link.app = link.app ?? options.app
        return try await requests.post(Endpoint.links, link.json, isShared: false) { LinkResponse(json: $0) }
    }
}
