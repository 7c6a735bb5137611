extension Site {
    /// All routes of the service, with their descriptions in the API document; the rows are in the folder `Routes`, by
    /// subject. A literal segment takes precedence over a variable; `HEAD` is handled like `GET`.
    ///
    /// After a change of a row `Scripts/openapi` writes the document again.
    static let routes: [SiteRoute] = [
        linkRoutes, changeRoutes, clickRoutes, appRoutes, importRoutes, applicationRoutes, peopleRoutes, webhookRoutes,
        associationRoutes, firebaseRoutes, hokoRoutes, oauthRoutes, operationRoutes, visitRoutes,
    ].flatMap { $0 }
}
