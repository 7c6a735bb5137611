/// A folder that links are in.
package struct FolderCount: Sendable, Equatable {
    package var folder: String
    /// In the folder itself, not below it.
    package var links: Int

    package init(folder: String, links: Int) {
        self.folder = folder
        self.links = links
    }
}

/// The domains and routes used by an application's links.
package struct ApplicationUse: Sendable, Equatable {
    package var links: Int
    package var domains: [HostName: Int]
    /// Aliases on other domains than their link's.
    package var aliases: [HostName: Int] = [:]
    /// Routes of links without URLs of their own, which need a template.
    package var templateRoutes: [String: Int]

    package init(links: Int, domains: [HostName: Int], templateRoutes: [String: Int]) {
        self.links = links
        self.domains = domains
        self.templateRoutes = templateRoutes
    }
}
