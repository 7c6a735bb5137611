import WaymarkLinks

/// Domains and routes that links use and that an application's change would remove.
struct ApplicationLoss: Sendable, Equatable {
    let sentences: [String]
    var isEmpty: Bool { sentences.isEmpty }

    init(of use: ApplicationUse, by application: Application) {
        let domains = Set(application.linkDomains)
        let routes = Set(application.templates.map(\.route.text))
        let lostDomains = use.domains.filter { !domains.contains($0.key) && $0.value > 0 }
            .sorted { $0.key.text < $1.key.text }
            .map { "domain \($0.key.text) is used by \(Self.links($0.value))" }
        let lostAliases = use.aliases.filter { !domains.contains($0.key) && $0.value > 0 }
            .sorted { $0.key.text < $1.key.text }
            .map { "domain \($0.key.text) has \($0.value == 1 ? "1 alias" : "\($0.value) aliases") of links" }
        let lostRoutes = use.templateRoutes.filter { !routes.contains($0.key) && $0.value > 0 }
            .sorted { $0.key < $1.key }
            .map { "route \($0.key) is used by \(Self.links($0.value))" }
        sentences = lostDomains + lostAliases + lostRoutes
    }

    static func links(_ count: Int) -> String { count == 1 ? "1 link" : "\(count) links" }
}
