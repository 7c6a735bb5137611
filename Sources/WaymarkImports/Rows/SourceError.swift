/// Why a source can't be read: one sentence without a full stop that says what to do.
package struct SourceError: Error, Sendable, Equatable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
