/// Keeps everything until the process ends: for tests, previews, and apps that want nothing kept.
public final class MemoryStorage: ClientStorage {
    private let entries: LockedValue<[String: [UInt8]]>

    /// A storage with what is given; by default nothing.
    public init(_ entries: [String: [UInt8]] = [:]) {
        self.entries = LockedValue(entries)
    }

    public func read(_ name: String) -> [UInt8]? { entries.withLock { $0[name] } }

    public func write(_ bytes: [UInt8], to name: String) { entries.withLock { $0[name] = bytes } }

    public func setAside(_ name: String) {
        entries.withLock { entries in
            entries[name + ".broken"] = entries.removeValue(forKey: name)
        }
    }
}
