public import WaymarkAPI

extension WaymarkClient: SmartlinkResolving, SmartlinkCreating {
    /// Asks where a smart link leads and for its metadata, which takes a redeem where the link has a limit.
    ///
    /// Equal calls that run at once are one request.
    ///
    /// - Parameter subject: the smart link as it was opened, with its query; or the id of the click.
    public func resolve(_ subject: ResolveRequest.Subject) async throws(WaymarkClientError) -> ResolveResponse {
        try await resolve(subject, redeem: true)
    }

    /// Asks where a smart link leads.
    ///
    /// - Parameters:
    ///   - subject: the smart link as it was opened, with its query; or the id of the click.
    ///   - redeem: false asks for everything but the metadata, and takes nothing.
    public func resolve(
        _ subject: ResolveRequest.Subject, redeem: Bool
    ) async throws(WaymarkClientError) -> ResolveResponse {
        let body = ResolveRequest(
            subject, platform: options.platform.rawValue, redeem: redeem, appVersion: options.appVersion)
        let answer = try await requests.post(Endpoint.resolve, body.json, isShared: true)
        guard let resolved = ResolveResponse(json: answer.body) else {
            throw .unexpectedAnswer(status: answer.status, retryAfter: nil)
        }
        return resolved
    }

    /// Has a smart link made, and returns its URL.
    ///
    /// Where `app` is nil the options' application is taken. Equal calls that run at once make a link each, unless the
    /// body asks for a unique one.
    public func createSmartlink(_ link: LinkRequest) async throws(WaymarkClientError) -> String {
        try await createLink(link).smartlink
    }

    /// Has a smart link made, and returns all that the service says of it.
    public func createLink(_ link: LinkRequest) async throws(WaymarkClientError) -> LinkResponse {
        var link = link
        link.app = link.app ?? options.app
        let answer = try await requests.post(Endpoint.links, link.json, isShared: false)
        guard let created = LinkResponse(json: answer.body) else {
            throw .unexpectedAnswer(status: answer.status, retryAfter: nil)
        }
        return created
    }
}
