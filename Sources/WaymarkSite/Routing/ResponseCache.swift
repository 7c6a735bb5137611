import WaymarkBytes
import WaymarkHTTP
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkStores

/// Cached responses to frequent requests from systems and probes: a host's association files, and the health check. A
/// hit does not allocate, lock or count references.
///
/// A key has only one possible slot, so a flood of invented hosts costs others one request at most. Bounded by the
/// number of slots and by the size of a body.
///
/// Isolation: confined to the thread of its event loop.
///
/// Safety: `slots` is allocated in `init`, freed in `deinit`, and private; an index is a hash masked below `slotCount`.
/// A slot owns one reference to its response, which is released when another takes the slot. The response that `answer`
/// returns is retained by its slot until the loop stores another one, which is after it was sent. The literals have as
/// many bytes as `equals` compares.
@safe
final class ResponseCache {
    enum Subject: Int {
        case apple, appleAtRoot, assetLinks, health
    }

    /// The versions of the applications and of the public folder's files.
    struct Moment: Equatable {
        fileprivate let applications: UInt64
        fileprivate let overrides: UInt64
    }

    private static let slotCount = 256
    /// In bytes. Larger bodies are not worth caching.
    private static let bodyLimit = 16_384

    private let directory: Published<ApplicationDirectory>
    private let overrides: Published<AssociationOverrides>
    // A pointer, because an array in a class costs exclusivity checks and reference counting for each request.
    // Allocated in init for as long as the object lives; every index is below `slotCount`.
    private let slots: UnsafeMutablePointer<Unmanaged<CachedResponse>?>
    /// Random, so that nobody can choose hosts that evict each other.
    private let seeds: (UInt64, UInt64)

    init(_ site: Site) {
        directory = site.service.applications.directory
        overrides = site.overrides
        seeds = (.random(in: .min ... .max), .random(in: .min ... .max))
        unsafe slots = .allocate(capacity: Self.slotCount)
        unsafe slots.initialize(repeating: nil, count: Self.slotCount)
    }

    deinit {
        for slot in 0..<Self.slotCount { unsafe slots[slot]?.release() }
        unsafe slots.deallocate()
    }

    /// Must be read before making a response to be cached, so that changes in between are noticed.
    var moment: Moment { Moment(applications: directory.generation, overrides: overrides.generation) }

    /// The cached response to an equal request; nil if there is none. Borrowed until the next call of this object.
    func answer(to head: RequestHead, in bytes: Span<UInt8>) -> Unmanaged<PreparedResponse>? {
        guard let subject = Self.subject(bytes.extracting(head.path.indices)) else { return nil }
        let method = head.method
        guard method == .get || method == .head else { return nil }
        let isGzipPreferred = subject != .health && CodingPreference(head, in: bytes).prefersGzip
        let host = Self.host(subject, head)
        guard let entry = unsafe slots[slot(subject, isGzipPreferred, bytes, host)] else { return nil }
        return unsafe entry._withUnsafeGuaranteedRef { entry in
            guard entry.subject == subject, entry.isCoded == isGzipPreferred, entry.isFor(bytes, host),
                entry.moment == moment
            else { return nil }
            // Fetches by Apple and Google are noted where the response is made.
            if subject != .health, AssociationFetcher(head, in: bytes) != nil { return nil }
            return unsafe .passUnretained(entry.response)
        }
    }

    /// Caches a response that is the same for all clients with the same request and coding.
    ///
    /// - Parameters:
    ///   - reply: only cached if it was made immediately and is not too long.
    ///   - moment: read before the response was made.
    func keep(
        _ reply: Reply, isGzipPreferred: Bool, _ head: RequestHead, _ bytes: Span<UInt8>, route: Int, _ moment: Moment
    ) {
        guard case .now(let response) = reply, case .bytes(let body) = response.body, body.count <= Self.bodyLimit,
            let subject = Self.subject(bytes.extracting(head.path.indices))
        else { return }
        let host = Self.host(subject, head)
        // Requests without a host are HTTP/1.0, and rare.
        guard subject == .health || !host.isEmpty else { return }
        let slot = slot(subject, isGzipPreferred, bytes, host)
        unsafe slots[slot]?.release()
        unsafe slots[slot] = unsafe .passRetained(
            CachedResponse(
                subject, isCoded: isGzipPreferred, host: host.copy(of: bytes), moment,
                PreparedResponse.make(response.status, fields: response.fields, body: body, route: route)))
    }

    /// The host on which a response depends, as received.
    private static func host(_ subject: Subject, _ head: RequestHead) -> ByteRange {
        subject == .health ? .empty : head.host
    }

    @inline(__always)
    private func slot(
        _ subject: Subject, _ isGzipPreferred: Bool, _ bytes: Span<UInt8>, _ host: ByteRange
    ) -> Int {
        var hash = ByteHash(seeds: seeds)
        hash.add(bytes.extracting(host.indices))
        // A host's responses are in adjacent slots.
        let offset = subject.rawValue &* 2 &+ (isGzipPreferred ? 1 : 0)
        return (Int(truncatingIfNeeded: hash.value) &+ offset) & (Self.slotCount &- 1)
    }

    @inline(__always)
    private static func subject(_ path: Span<UInt8>) -> Subject? {
        switch path.count {
        case 39: equals(path, "/.well-known/apple-app-site-association") ? .apple : nil
        case 28: equals(path, "/.well-known/assetlinks.json") ? .assetLinks : nil
        case 27: equals(path, "/apple-app-site-association") ? .appleAtRoot : nil
        case 8: equals(path, "/healthz") ? .health : nil
        default: nil
        }
    }

    @inline(__always)
    private static func equals(_ path: Span<UInt8>, _ text: StaticString) -> Bool {
        unsafe path.count == text.utf8CodeUnitCount && ByteHash.areEqual(path.bytes, UnsafeRawPointer(text.utf8Start))
    }
}

/// A cached response and its key.
///
/// Safety: `host` has `hostCount` bytes, allocated and filled in `init`, freed in `deinit`, and never changed in
/// between.
@safe
private final class CachedResponse {
    let subject: ResponseCache.Subject
    let isCoded: Bool
    let moment: ResponseCache.Moment
    let response: PreparedResponse
    private let hostCount: Int
    /// Allocated in init for as long as the object lives.
    private let host: UnsafeMutableRawPointer

    init(
        _ subject: ResponseCache.Subject, isCoded: Bool, host: [UInt8], _ moment: ResponseCache.Moment,
        _ response: PreparedResponse
    ) {
        self.subject = subject
        self.isCoded = isCoded
        self.moment = moment
        self.response = response
        hostCount = host.count
        let memory = UnsafeMutableRawPointer.allocate(byteCount: max(host.count, 1), alignment: 8)
        unsafe host.withUnsafeBytes {
            unsafe memory.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(memory), byteCount: $0.count)
        }
        unsafe self.host = unsafe memory
    }

    deinit { unsafe host.deallocate() }

    @inline(__always)
    func isFor(_ bytes: Span<UInt8>, _ host: ByteRange) -> Bool {
        unsafe host.count == hostCount && ByteHash.areEqual(bytes.extracting(host.indices).bytes, self.host)
    }
}
