import WaymarkJSON

/// The document that lets one server at a time order certificates: `lease`.
///
/// The lease ends by itself if its holder dies. Servers' clocks may differ by less than the lease's length: otherwise two
/// servers may order the same certificate, which costs an order and does no harm.
actor RenewalLease {
    private static let name = "lease"
    /// How long it lasts without being renewed, in seconds.
    static let seconds: Int64 = 120

    private let storage: any CertificateStorage
    /// Unique among servers and restarts.
    private let holder: String
    private let now: @Sendable () -> Int64
    private var held: (version: Int, until: Int64)?
    /// The renewal in progress; concurrent callers await it.
    private var renewal: Task<Bool, Never>?

    init(storage: any CertificateStorage, holder: String, now: @escaping @Sendable () -> Int64) {
        self.storage = storage
        self.holder = holder
        self.now = now
    }

    /// Takes the lease if nobody holds it.
    func acquire() async throws(CertificateStorageError) -> Bool {
        let document = try await storage.document(Self.name)
        let lease = document.flatMap { Self.read($0.content) }
        // A holder whose clock is far ahead must not hold it indefinitely.
        if let lease, lease.holder != holder, (now()...now() + 2 * Self.seconds).contains(lease.until) {
            held = nil
            return false
        }
        return try await write(over: document?.version)
    }

    /// Renews the lease in time. Throws if another server has it.
    func renewIfNeeded() async throws(ACMEError) {
        guard let held else { throw Self.lost }
        guard held.until - now() < Self.seconds / 2 else { return }
        if renewal == nil {
            renewal = Task { (try? await self.write(over: held.version)) ?? false }
        }
        let isRenewed = await renewal?.value ?? false
        renewal = nil
        // A store that fails for a moment is no reason to give up before the end.
        guard isRenewed || (self.held?.until ?? 0) > now() else {
            self.held = nil
            throw Self.lost
        }
    }

    /// Whether this server has the lease, as far as it knows.
    var isHeld: Bool { (held?.until ?? 0) > now() }

    /// Lets another server take it.
    func release() async {
        guard held != nil else { return }
        held = nil
        let document = try? await storage.document(Self.name)
        guard let document, Self.read(document.content)?.holder == holder else { return }
        _ = try? await storage.write(Self.name, Self.json(holder, until: 0), ifVersion: document.version)
    }

    private func write(over version: Int?) async throws(CertificateStorageError) -> Bool {
        let until = now() + Self.seconds
        guard try await storage.write(Self.name, Self.json(holder, until: until), ifVersion: version),
            let document = try await storage.document(Self.name), Self.read(document.content)?.holder == holder
        else {
            held = nil
            return false
        }
        held = (document.version, until)
        return true
    }

    private static let lost = ACMEError(.interrupted, "another server renews certificates now")

    private static func json(_ holder: String, until: Int64) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("holder", holder)
        writer.member("until", Int(until))
        writer.endObject()
        return writer.bytes
    }

    private static func read(_ json: [UInt8]) -> (holder: String, until: Int64)? {
        guard let value = try? JSONValue(parsing: json), let holder = value["holder"]?.string,
            let until = value["until"]?.integer
        else { return nil }
        return (holder, Int64(until))
    }
}
