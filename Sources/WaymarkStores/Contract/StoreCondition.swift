package import WaymarkLinks

/// What a store knows of the machine that holds it, for readiness and metrics. Nil: it can't know.
package struct StoreCondition: Sendable, Equatable {
    /// Bytes that can still be written to the file system of the database.
    package var freeBytes: Int?
    /// Connections of all programs to the database server.
    package var connections: Int?
    /// How many it takes from users that are no superusers.
    package var connectionLimit: Int?
    /// The clock of the database server.
    package var clock: Timestamp?
    /// When the newest link was created: later than now if a clock was set back. Zero if there is none.
    package var newestLink: Timestamp?
    /// The end of the last `waymark backup`; zero if there was none.
    package var lastBackup: Timestamp?

    package init() {}
}
