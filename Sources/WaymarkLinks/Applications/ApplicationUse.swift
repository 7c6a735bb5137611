/// What an application's links stand on.
package struct ApplicationUse: Sendable, Equatable {
    package var links: Int
    package var domains: [HostName: Int]
    /// Routes of links that have no URLs of their own, and so need a template.
    package var templateRoutes: [String: Int]

    package init(links: Int, domains: [HostName: Int], templateRoutes: [String: Int]) {
        self.links = links
        self.domains = domains
        self.templateRoutes = templateRoutes
    }
}
