/// What a handler wants to hear of, or hears: readable, writable, broken.
package struct Interest: OptionSet, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// Only ever reported: both directions are dead (reset, or closed by both sides). Can't be switched off in epoll,
    /// so a handler that hears it must close.
    package static let hangUp = Interest(rawValue: 4)
}
