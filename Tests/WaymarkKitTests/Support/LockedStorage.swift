import Synchronization
import WaymarkKit

/// A storage that can't be used for a while, as on a device that was not unlocked since its start.
final class LockedStorage: ClientStorage {
    struct Locked: Error {}

    private let storage = MemoryStorage()
    private let lock = Mutex(false)

    var isLocked: Bool {
        get { lock.withLock { $0 } }
        set { lock.withLock { $0 = newValue } }
    }

    func read(_ name: String) throws -> [UInt8]? {
        if isLocked { throw Locked() }
        return storage.read(name)
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        if isLocked { throw Locked() }
        storage.write(bytes, to: name)
    }

    func setAside(_ name: String) { storage.setAside(name) }
}
