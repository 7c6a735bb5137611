/// Why an export, an import or a check failed: one sentence without a subject and a full stop.
package struct ArchiveFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
