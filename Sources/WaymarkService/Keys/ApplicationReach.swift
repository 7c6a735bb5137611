package import WaymarkLinks
package import WaymarkStores

/// The applications that a caller may do something with.
package enum ApplicationReach: Sendable, Hashable {
    case all
    case one(ApplicationID)
    /// Of a person with several memberships. Never one.
    case several(Set<ApplicationID>)

    package static let nothing = ApplicationReach.several([])

    init(_ grant: Grant) { self = grant.application.map { .one($0) } ?? .all }

    package func contains(_ application: ApplicationID) -> Bool {
        switch self {
        case .all: true
        case .one(let one): one == application
        case .several(let several): several.contains(application)
        }
    }

    /// Nil is what belongs to all applications.
    package func contains(_ application: ApplicationID?) -> Bool { application.map(contains) ?? isAll }

    package var isAll: Bool { self == .all }

    /// Nil if there are several, or all.
    package var single: ApplicationID? {
        if case .one(let application) = self { application } else { nil }
    }

    /// Both together.
    func union(_ other: ApplicationReach) -> ApplicationReach {
        if isAll || other.isAll { return .all }
        let all = listed.union(other.listed)
        return all.count == 1 ? .one(all.first!) : .several(all)
    }

    /// Nil for all.
    package var applications: [ApplicationID]? { isAll ? nil : listed.sorted { $0.text < $1.text } }

    private var listed: Set<ApplicationID> {
        switch self {
        case .all: []
        case .one(let one): [one]
        case .several(let several): several
        }
    }
}

extension LinkFilter {
    /// Only links of the applications that a caller may see. The filter's own application, if there is one, must be one of them.
    package func limited(to reach: ApplicationReach) -> LinkFilter {
        var limited = self
        guard application == nil else { return limited }
        switch reach {
        case .all: break
        case .one(let one): limited.application = one
        case .several(let several): limited.applications = several
        }
        return limited
    }
}
