package import WaymarkLinks

/// How putting an application ends.
package enum ApplicationPut: Sendable {
    case created(ServedApplication)
    case replaced(ServedApplication)
    case versionMismatch(current: Int?)
    /// It comes from the applications file.
    case readOnly
    /// Another application has the host.
    case hostTaken(HostName, by: ApplicationID)
    /// Links still use what would be dropped; a sentence for each domain and route.
    case inUse([String])
}

/// How deleting an application ends.
package enum ApplicationDeletion: Sendable, Equatable {
    case deleted
    case unknown
    case readOnly
    case inUse(links: Int)
    case versionMismatch(current: Int)
}

/// How applying the applications file ends.
package enum ApplicationFileOutcome: Sendable, Equatable {
    /// How many applications were created, replaced or removed.
    case applied(changes: Int)
    /// Nothing was changed; why, a sentence each.
    case refused([String])
}
