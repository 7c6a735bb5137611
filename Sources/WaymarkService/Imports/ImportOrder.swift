package import WaymarkImports
package import WaymarkLinks

/// A valid request for an import.
package struct ImportOrder: Sendable {
    package let service: ForeignService
    package let destination: ImportDestination
    /// Nil: the domain that the source names.
    package let domain: HostName?
    package let isDryRun: Bool
    package let columns: ColumnMap
    package let time: ForeignTime
    package let access: ServiceAccess?
    package let files: [ImportedFile]

    package init(
        service: ForeignService, destination: ImportDestination, domain: HostName?, isDryRun: Bool, columns: ColumnMap,
        time: ForeignTime, access: ServiceAccess?, files: [ImportedFile]
    ) {
        self.service = service
        self.destination = destination
        self.domain = domain
        self.isDryRun = isDryRun
        self.columns = columns
        self.time = time
        self.access = access
        self.files = files
    }
}

/// A file of an import, which may be deleted once nothing refers to `read`.
package struct ImportedFile: Sendable {
    /// For messages.
    package let name: String
    package let path: String
    package let bytes: Int
    /// The bytes from `offset` on, some at a time; empty at the end.
    package let read: @Sendable (_ offset: Int) throws -> [UInt8]

    package init(name: String, path: String, bytes: Int, read: @escaping @Sendable (_ offset: Int) throws -> [UInt8]) {
        self.name = name
        self.path = path
        self.bytes = bytes
        self.read = read
    }
}
