extension Deeplinking {
    // MARK: Routes

    /// Maps a route to a target, which runs when a link to the route is opened.
    ///
    /// Throws `DeeplinkingError.duplicateRoute` if the route is already mapped; the first target is kept.
    ///
    /// - Parameters:
    ///   - route: a format such as `products/:product_id`; redundant slashes are removed. An empty one maps
    ///     the default route.
    ///   - target: runs on the main actor, after filters and handlers.
    public func map(_ route: String, to target: @escaping Target) throws(DeeplinkingError) {
        try map(route, .immediate(target))
    }

    /// Maps a route to a target that waits; see `map(_:to:)`.
    public func map(_ route: String, to target: @escaping AsyncTarget) throws(DeeplinkingError) {
        try map(route, .waiting(target))
    }

    /// Maps a route without code: its links arrive at `links`.
    ///
    /// Throws `DeeplinkingError.duplicateRoute` if the route is already mapped.
    public func map(_ route: String) throws(DeeplinkingError) {
        try map(route, .immediate({ _ in }))
    }

    private func map(_ route: String, _ target: DeeplinkStep<Void>) throws(DeeplinkingError) {
        let format = RouteFormat(route)
        guard !format.text.isEmpty else { return try mapDefault(target) }
        guard routes.map(format, to: target) else { throw .duplicateRoute(format.text) }
    }

    /// Maps the target of links that match no route.
    ///
    /// The dialect decides what happens if there is already a default route: by default the last one replaces
    /// the others; in dialects that keep the first, `DeeplinkingError.duplicateDefaultRoute` is thrown.
    public func mapDefault(to target: @escaping Target) throws(DeeplinkingError) {
        try mapDefault(.immediate(target))
    }

    /// Maps a target that waits for links that match no route; see `mapDefault(to:)`.
    public func mapDefault(to target: @escaping AsyncTarget) throws(DeeplinkingError) {
        try mapDefault(.waiting(target))
    }

    private func mapDefault(_ target: DeeplinkStep<Void>) throws(DeeplinkingError) {
        if defaultTarget != nil, dialect.duplicateDefaultRoute == .first { throw .duplicateDefaultRoute }
        defaultTarget = target
    }

    /// Whether the route is mapped, ignoring redundant slashes.
    public func isMapped(_ route: String) -> Bool {
        routes.contains(RouteFormat(route))
    }

    /// The formats of the mapped routes in order of priority, without the default route: fewer segments
    /// first; then, from left to right, a literal before a variable; then by byte order of the formats.
    public var mappedRoutes: [String] { routes.formats }

    // MARK: Filters and handlers

    /// Adds a filter after the existing ones.
    @discardableResult
    public func addFilter(_ filter: @escaping Filter) -> DeeplinkRegistration {
        add(.immediate(filter))
    }

    /// Adds a filter that waits, for example for a sign-in, after the existing ones. Its answer is ignored if
    /// another link is opened meanwhile.
    @discardableResult
    public func addFilter(_ filter: @escaping AsyncFilter) -> DeeplinkRegistration {
        add(.waiting(filter))
    }

    private func add(_ filter: DeeplinkStep<Bool>) -> DeeplinkRegistration {
        let registration = register()
        filters.append((registration, filter))
        return registration
    }

    /// Adds a handler after the existing ones.
    @discardableResult
    public func addHandler(_ handle: @escaping Target) -> DeeplinkRegistration {
        let registration = register()
        handlers.append((registration, nil, handle))
        return registration
    }

    /// Adds an object as a handler after the existing ones, and retains it.
    ///
    /// Throws `DeeplinkingError.handlerExists`, and adds nothing, if the same object has already been added.
    public func addHandler(_ handler: any DeeplinkHandler) throws(DeeplinkingError) {
        guard !handlers.contains(where: { $0.object === handler }) else { throw .handlerExists }
        handlers.append((register(), handler, { handler.handleDeeplink($0) }))
    }

    /// Removes a filter or a handler; does nothing if it has already been removed. A link that is being
    /// opened is still passed to it.
    public func remove(_ registration: DeeplinkRegistration) {
        filters.removeAll { $0.registration == registration }
        handlers.removeAll { $0.registration == registration }
    }

    /// Removes a handler object; does nothing if it was not added.
    public func removeHandler(_ handler: any DeeplinkHandler) {
        handlers.removeAll { $0.object === handler }
    }
}
