/// What a handler wants to hear of, or hears: readable, writable, broken.
///
/// Not an `OptionSet`, because across modules an empty literal of one goes through the generic initialiser of sets at run
/// time, at each event.
@usableFromInline
package struct Interest: Sendable, Equatable {
    @usableFromInline package var rawValue: UInt8

    @inlinable package init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable package static var none: Interest { Interest(rawValue: 0) }
    @inlinable package static var read: Interest { Interest(rawValue: 1) }
    @inlinable package static var write: Interest { Interest(rawValue: 2) }
    /// Only ever reported: both directions are dead (reset, or closed by both sides). Can't be switched off in epoll,
    /// so a handler that hears it must close.
    @inlinable package static var hangUp: Interest { Interest(rawValue: 4) }
    /// To be told of what arrives from now on, once for each arrival: for a handler that has read all there was. With
    /// `read` alone the kernel looks at a socket once more after each event, to find that there is nothing.
    /// Dispatch takes it for `read`.
    @inlinable package static var edgeTriggeredRead: Interest { Interest(rawValue: 8 | read.rawValue) }
    /// Only ever reported, and to `edgeTriggeredRead` only: the peer has ended its side. What it sent before may be readable
    /// still, and once that is read nothing more will be told; so the handler goes on until it has read the end, or asks
    /// for `read` again.
    @inlinable package static var end: Interest { Interest(rawValue: 16) }

    @inlinable package var isEmpty: Bool { rawValue == 0 }

    @inlinable package func contains(_ other: Interest) -> Bool { rawValue & other.rawValue == other.rawValue }

    @inlinable package mutating func insert(_ other: Interest) { rawValue |= other.rawValue }
}
