import WaymarkAPI
import WaymarkHTTP
import WaymarkServer
import WaymarkService

/// What all uploads of imports share on this server.
struct ImportUploads: Sendable {
    /// Receives them.
    let executor = ImportExecutor()
    /// Disk space of uploaded files, and of reports while they are sent.
    let space: SpoolSpace

    init(_ settings: ImportSettings) {
        let (limit, isTooLarge) = settings.uploadBytes.multipliedReportingOverflow(by: settings.running)
        space = SpoolSpace(limit: isTooLarge ? .max : limit)
    }
}

extension Imports {
    /// Deletes files that a process left behind which was killed.
    package func removeAbandonedFiles() -> Int { SpoolFile.removeAbandoned(in: settings.folder) }

    static func tooMany(_ fields: HeaderFields = HeaderFields()) -> Response {
        var all = fields
        all.append(.retryAfter, 10)
        return .problem(
            Problem(.rateLimited, "Too many imports run already; wait until one has ended, or stop one."), fields: all)
    }
}
