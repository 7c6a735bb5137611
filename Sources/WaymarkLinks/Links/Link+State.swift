extension Link {
    /// The first state that applies. `maxClicks` is compared with human clicks in the store: reserved ones have not
    /// happened yet.
    ///
    /// - Parameter ignoringMaxClicks: for callers with the ID of a counted click.
    package func state(at now: Timestamp, ignoringMaxClicks: Bool = false) -> LinkState {
        if content.disabled { return .disabled }
        if let end = content.expiresAt, now >= end { return .expired }
        if !ignoringMaxClicks, let most = content.maxClicks, clicks >= most { return .exhausted }
        if let start = content.validFrom, now < start { return .scheduled }
        return .active
    }

    /// The next time at which the state changes by itself; nil if it never does. A decision made before is valid
    /// until then.
    package func nextTransition(after now: Timestamp) -> Timestamp? {
        [content.validFrom, content.expiresAt].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// The URL that people follow. Host and slug are the link's; scheme and port are those of `baseURL`, so that URLs
    /// also work in a development setup on `http://localhost:8080`. Without `baseURL`: https.
    package func smartlinkURL(_ application: Application) -> String {
        if let address = content.firebase?.address { return address }
        var text = application.address(on: domain)
        text += "/"
        text += slug.text
        return text
    }

    /// Whether the click's own query parameters are forwarded.
    package func forwardsQuery(_ application: Application) -> Bool {
        content.forwardQuery ?? application.forwardQuery
    }
}

extension Application {
    package func template(for route: Route) -> Template? { template(for: route.text) }

    /// - Parameter route: normalised, like `Route.text`.
    func template(for route: String) -> Template? {
        // Routes are ASCII. Texts that Swift considers equal but are not (the Kelvin sign and K) are longer.
        templates.first { $0.route.text == route && $0.route.text.utf8.count == route.utf8.count }
    }
}
