package import WaymarkLinks

/// The result of putting an application.
package enum ApplicationPut: Sendable {
    case created(ServedApplication)
    case replaced(ServedApplication)
    case versionMismatch(current: Int?)
    /// The application is from the applications file.
    case readOnly
    /// Another application has the host.
    case hostTaken(HostName, by: ApplicationID)
    /// Links still use parts that would be removed; one sentence per domain and route.
    case inUse([String])
}

/// The result of deleting an application.
package enum ApplicationDeletion: Sendable, Equatable {
    case deleted
    case unknown
    case readOnly
    case inUse(links: Int)
    case versionMismatch(current: Int)
}

/// The result of applying the applications file.
package enum ApplicationFileOutcome: Sendable, Equatable {
    /// The number of applications created, replaced or removed.
    case applied(changes: Int)
    /// Nothing was changed; one sentence per reason.
    case refused([String])
}
