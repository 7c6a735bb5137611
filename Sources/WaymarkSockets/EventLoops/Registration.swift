/// A descriptor's entry in an event loop: its number, and which of the descriptors that had this number it is.
///
/// The kernel hands a closed number out again at once. An event that was on its way for the old one carries the old
/// generation and is dropped.
@usableFromInline
package struct Registration: Sendable, Hashable {
    @usableFromInline package let descriptor: Int32
    @usableFromInline package let generation: UInt32

    package init(descriptor: Int32, generation: UInt32) {
        self.descriptor = descriptor
        self.generation = generation
    }

    /// Both in 64 bits, as epoll carries them.
    @inlinable
    package var packed: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }

    @inlinable
    package init(packed: UInt64) {
        descriptor = Int32(truncatingIfNeeded: packed)
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }
}
