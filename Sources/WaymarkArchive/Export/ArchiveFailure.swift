/// Why a store could not be written down, read back or checked: one sentence without a subject that ends in no full stop.
package struct ArchiveFailure: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
