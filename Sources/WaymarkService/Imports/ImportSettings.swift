package import WaymarkImports

/// What an operator may set about imports over the API.
package struct ImportSettings: Sendable {
    /// Where files are kept until they are imported; empty for the working directory.
    package var folder = ""
    /// Bytes of one upload.
    package var uploadBytes = 512 << 20
    /// Imports at the same time, those that are uploading included. An application's keys get no more than they leave free.
    package var running = 8
    /// Opens the links of a database file. Nil: there are none.
    package var database: OpenDatabase?
    /// Maximum rows of an import, whose slugs are in memory during a dry run.
    package var rows = 10_000_000
    /// Maximum seconds of an import from another service's API, which may return pages without end.
    package var serviceSeconds = 24 * 60 * 60

    package init() {}

    /// The links of a database file; nil if the files are not one.
    ///
    /// - Throws: `SourceError`.
    package typealias OpenDatabase =
        @Sendable (
            _ paths: [String], _ time: ForeignTime, _ isStopped: @escaping @Sendable () -> Bool
        ) throws -> (any LinkSource)?
}
