extension Hoko {
    /// The SDK's `setupWithToken:customDomain:` for a service of one's own: makes the client and the router that
    /// `deeplinking()` answers. Only the first call counts.
    ///
    /// Throws what making the client throws, and errors of the file system where there is no folder for what is kept.
    ///
    /// - Parameters:
    ///   - token: the API key, with the scopes `resolve` and `create` only.
    ///   - service: the service's address, `https://go.example.com`.
    ///   - app: the application's id at the service, needed for deferred deep links.
    ///   - urlSchemes: the app's own URL schemes.
    ///   - domains: the hosts that serve the app's smart links; the service's own where none is given.
    ///   - storage: what outlasts the app; by default a folder in the application support folder.
    /// - Returns: the client; nil where a router was set up before, which stays.
    @discardableResult
    public static func setup(
        token: String, service: String, app: String? = nil, urlSchemes: [String], domains: [String] = [],
        storage: (any ClientStorage)? = nil
    ) throws -> WaymarkClient? {
        guard !isSetUp else { return nil }
        let client = try WaymarkClient(
            service: service, key: token, options: ClientOptions(app: app, domains: Set(domains)),
            storage: try storage ?? FileStorage.applicationSupport())
        let hosts = domains.isEmpty ? [DeepLinkURL(service).host ?? ""] : domains
        setup(
            Deeplinking(
                urlSchemes: urlSchemes, domains: hosts, resolver: client, creator: client, recorder: client))
        return client
    }
}
