/// What a handler wants to hear of, or hears: readable, writable, broken.
///
/// Not an `OptionSet`, because across modules an empty literal of one goes through the generic initialiser of sets at run
/// time, at each event.
package struct Interest: Sendable, Equatable {
    package var rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let none = Interest(rawValue: 0)
    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
    /// Only ever reported: both directions are dead (reset, or closed by both sides). Can't be switched off in epoll,
    /// so a handler that hears it must close.
    package static let hangUp = Interest(rawValue: 4)

    package var isEmpty: Bool { rawValue == 0 }

    package func contains(_ other: Interest) -> Bool { rawValue & other.rawValue == other.rawValue }

    package mutating func insert(_ other: Interest) { rawValue |= other.rawValue }
}
