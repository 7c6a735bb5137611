/// A loop's registrations: handler, generation and deadline, indexed by descriptor number.
///
/// Isolation: its loop only.
struct RegistrationTable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var generation: UInt32 = 0
        var interest = Interest.none
        var deadline = CoarseInstant.distantFuture
        /// The tick of the registration's valid entry in the wheel; its other entries are stale.
        var tick = Int64.max
    }

    private var slots: [Slot] = []
    private var wheel: TimerWheel
    private var due: [TimerWheel.Entry] = []
    private(set) var count = 0

    init(now: CoarseInstant) {
        wheel = TimerWheel(now: now)
    }

    mutating func add(_ descriptor: Int32, interest: Interest, handler: any ReadinessHandler) -> Registration {
        let index = Int(descriptor)
        while slots.count <= index { slots.append(Slot()) }
        precondition(slots[index].handler == nil, "descriptor is registered already")
        slots[index].handler = handler
        slots[index].interest = interest
        slots[index].deadline = .distantFuture
        slots[index].tick = .max
        count += 1
        return Registration(descriptor: descriptor, generation: slots[index].generation)
    }

    /// Ends a registration; false if it has ended before.
    mutating func remove(_ registration: Registration) -> Bool {
        guard handler(of: registration) != nil else { return false }
        let index = Int(registration.descriptor)
        slots[index].handler = nil
        slots[index].generation &+= 1
        count -= 1
        return true
    }

    /// The handler of a registration; nil if it has ended, even if its descriptor's number is in use again.
    func handler(of registration: Registration) -> (any ReadinessHandler)? {
        let index = Int(registration.descriptor)
        guard index >= 0, index < slots.count, slots[index].generation == registration.generation else { return nil }
        return slots[index].handler
    }

    func interest(of registration: Registration) -> Interest {
        handler(of: registration) == nil ? .none : slots[Int(registration.descriptor)].interest
    }

    /// Stores a new interest; false if it is unchanged.
    mutating func setInterest(_ interest: Interest, of registration: Registration) -> Bool {
        guard handler(of: registration) != nil, slots[Int(registration.descriptor)].interest != interest else {
            return false
        }
        slots[Int(registration.descriptor)].interest = interest
        return true
    }

    /// Stores a new deadline. True if the wheel has a new entry, so that the loop may have to wake up earlier.
    mutating func setDeadline(_ deadline: CoarseInstant, of registration: Registration) -> Bool {
        let index = Int(registration.descriptor)
        guard index >= 0, index < slots.count, slots[index].generation == registration.generation else { return false }
        slots[index].deadline = deadline
        guard deadline < .distantFuture, TimerWheel.tick(for: deadline) < slots[index].tick else { return false }
        slots[index].tick = wheel.insert(registration, at: deadline)
        return true
    }

    /// The latest time at which the loop must wake up for a deadline.
    var nextDeadline: CoarseInstant? { wheel.next }

    /// Removes the registrations whose deadline has passed; those with a later deadline are inserted again.
    mutating func expire(at now: CoarseInstant, into passed: inout [Registration]) {
        wheel.advance(to: now, into: &due)
        guard !due.isEmpty else { return }
        for entry in due {
            let index = Int(entry.registration.descriptor)
            guard slots[index].generation == entry.registration.generation, slots[index].handler != nil,
                slots[index].tick == entry.tick
            else { continue }
            slots[index].tick = .max
            if slots[index].deadline <= now {
                slots[index].deadline = .distantFuture
                passed.append(entry.registration)
            } else if slots[index].deadline < .distantFuture {
                slots[index].tick = wheel.insert(entry.registration, at: slots[index].deadline)
            }
        }
        due.removeAll(keepingCapacity: due.count <= 1_024)
    }

    /// All registrations, for the end of a loop.
    var all: [Registration] {
        slots.indices.filter { slots[$0].handler != nil }.map {
            Registration(descriptor: Int32($0), generation: slots[$0].generation)
        }
    }
}

/// A descriptor's entry in an event loop: its number, and a generation that distinguishes successive uses of the
/// number.
///
/// The kernel reuses a closed number at once. A late event for the old descriptor carries the old generation and is
/// dropped.
@usableFromInline
package struct Registration: Sendable, Hashable {
    @usableFromInline package let descriptor: Int32
    @usableFromInline package let generation: UInt32

    package init(descriptor: Int32, generation: UInt32) {
        self.descriptor = descriptor
        self.generation = generation
    }

    /// Both packed into 64 bits, for epoll's event data.
    @inlinable
    package var packed: UInt64 { UInt64(generation) << 32 | UInt64(UInt32(bitPattern: descriptor)) }

    @inlinable
    package init(packed: UInt64) {
        descriptor = Int32(truncatingIfNeeded: packed)
        generation = UInt32(truncatingIfNeeded: packed >> 32)
    }
}
