/// What a loop knows of its descriptors: handler, generation and deadline, by descriptor number.
///
/// Isolation: its loop only.
struct RegistrationTable {
    private struct Slot {
        var handler: (any ReadinessHandler)?
        var generation: UInt32 = 0
        var interest = Interest.none
        var deadline = CoarseInstant.distantFuture
        /// The tick of the entry in the wheel that counts; others of the same registration are leftovers.
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

    /// Ends a registration; false where it has ended before.
    mutating func remove(_ registration: Registration) -> Bool {
        guard handler(of: registration) != nil else { return false }
        let index = Int(registration.descriptor)
        slots[index].handler = nil
        slots[index].generation &+= 1
        count -= 1
        return true
    }

    /// Who hears of a registration; nil where it has ended, also if its descriptor's number is in use again.
    func handler(of registration: Registration) -> (any ReadinessHandler)? {
        let index = Int(registration.descriptor)
        guard index >= 0, index < slots.count, slots[index].generation == registration.generation else { return nil }
        return slots[index].handler
    }

    func interest(of registration: Registration) -> Interest {
        handler(of: registration) == nil ? .none : slots[Int(registration.descriptor)].interest
    }

    /// Notes a new interest; false where nothing changes.
    mutating func setInterest(_ interest: Interest, of registration: Registration) -> Bool {
        guard handler(of: registration) != nil, slots[Int(registration.descriptor)].interest != interest else {
            return false
        }
        slots[Int(registration.descriptor)].interest = interest
        return true
    }

    /// Notes a new deadline. True where the wheel has a new entry, so that the loop may have to wake up earlier.
    mutating func setDeadline(_ deadline: CoarseInstant, of registration: Registration) -> Bool {
        let index = Int(registration.descriptor)
        guard index >= 0, index < slots.count, slots[index].generation == registration.generation else { return false }
        slots[index].deadline = deadline
        guard deadline < .distantFuture, TimerWheel.tick(for: deadline) < slots[index].tick else { return false }
        slots[index].tick = wheel.insert(registration, at: deadline)
        return true
    }

    /// When the loop must wake up for a deadline at the latest.
    var nextDeadline: CoarseInstant? { wheel.next }

    /// Takes out the handlers whose deadline has passed; those that moved on are entered again.
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

    /// Every registration there is, for the end of a loop.
    var all: [Registration] {
        slots.indices.filter { slots[$0].handler != nil }.map {
            Registration(descriptor: Int32($0), generation: slots[$0].generation)
        }
    }
}

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
