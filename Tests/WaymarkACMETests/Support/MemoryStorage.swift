import Synchronization
import WaymarkACME

/// Documents in memory, which fail when the test wants it.
final class MemoryStorage: CertificateStorage {
    private struct State {
        var documents: [String: CertificateDocument] = [:]
        var version = 0
        var isBroken: @Sendable (_ name: String, _ isWrite: Bool) -> Bool = { _, _ in false }
    }

    private let state = Mutex(State())

    func fail(where isBroken: @escaping @Sendable (_ name: String, _ isWrite: Bool) -> Bool) {
        state.withLock { $0.isBroken = isBroken }
    }

    var names: [String] { state.withLock { $0.documents.keys.sorted() } }

    func text(_ name: String) -> String? {
        state.withLock { $0.documents[name].map { String(decoding: $0.content, as: UTF8.self) } }
    }

    func set(_ name: String, _ text: String) {
        state.withLock { state in
            state.version += 1
            state.documents[name] = CertificateDocument(name: name, version: state.version, content: Array(text.utf8))
        }
    }

    private func access<R>(
        _ name: String, isWrite: Bool = false, _ body: (inout State) -> R
    ) throws(CertificateStorageError) -> R {
        let result = state.withLock { state -> R? in state.isBroken(name, isWrite) ? nil : body(&state) }
        guard let result else { throw CertificateStorageError(reason: "the disk is full") }
        return result
    }

    func document(_ name: String) async throws(CertificateStorageError) -> CertificateDocument? {
        try access(name) { $0.documents[name] }
    }

    func documents(prefix: String) async throws(CertificateStorageError) -> [CertificateDocument] {
        try access(prefix) { $0.documents.values.filter { $0.name.hasPrefix(prefix) } }
    }

    func write(_ name: String, _ content: [UInt8], ifVersion version: Int?) async throws(CertificateStorageError)
        -> Bool
    {
        try access(name, isWrite: true) { state in
            guard state.documents[name]?.version == version else { return false }
            state.version += 1
            state.documents[name] = CertificateDocument(name: name, version: state.version, content: content)
            return true
        }
    }

    func remove(_ name: String) async throws(CertificateStorageError) {
        try access(name, isWrite: true) { $0.documents[name] = nil }
    }
}
