extension Link {
    /// The first state that holds. `maxClicks` is measured against people's clicks that have reached the store: those
    /// that servers hold in reserve are not clicks yet.
    ///
    /// - Parameter ignoringMaxClicks: for who comes with the id of a click that was counted.
    package func state(at now: Timestamp, ignoringMaxClicks: Bool = false) -> LinkState {
        if content.disabled { return .disabled }
        if let end = content.expiresAt, now >= end { return .expired }
        if !ignoringMaxClicks, let most = content.maxClicks, clicks >= most { return .exhausted }
        if let start = content.validFrom, now < start { return .scheduled }
        return .active
    }

    /// The next moment at which time alone changes the state; nil where it never does. What was decided before it holds
    /// until it.
    package func nextTransition(after now: Timestamp) -> Timestamp? {
        [content.validFrom, content.expiresAt].compactMap { $0 }.filter { $0 > now }.min()
    }

    /// The address that people follow. Host and slug are the link's; scheme and port are those of `baseURL`, so that a
    /// development set-up on `http://localhost:8080` prints what works there. Without `baseURL`: https.
    package func smartlinkURL(_ application: Application) -> String {
        if let address = content.firebase?.address { return address }
        var text = application.address(on: domain)
        text += "/"
        text += slug.text
        return text
    }

    /// Whether the click's own query parameters are passed on.
    package func forwardsQuery(_ application: Application) -> Bool {
        content.forwardQuery ?? application.forwardQuery
    }
}

extension Application {
    package func template(for route: Route) -> Template? { template(for: route.text) }

    /// - Parameter route: sanitized, as `Route.text` is.
    func template(for route: String) -> Template? {
        // Routes are ASCII. What Swift holds for equal to one and is none (the Kelvin sign, for K) is longer.
        templates.first { $0.route.text == route && $0.route.text.utf8.count == route.utf8.count }
    }
}
