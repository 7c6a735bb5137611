/// How a non-blocking read, write or accept ended.
///
/// Running dry is an ordinary outcome, so it is a value and not an error.
@usableFromInline
package enum IOResult: Sendable, Equatable {
    /// So many bytes (or, from `accept`, the new descriptor). Zero bytes read mean the end of the stream.
    case processed(Int)
    /// Nothing can be done until the descriptor is ready again.
    case wouldBlock
    /// The call failed with this `errno`; the connection is of no further use.
    case failed(Int32)
}
