/// A small document that all servers share.
package struct CertificateDocument: Sendable, Equatable {
    /// At most 300 characters of ASCII, such as `certificate/go.example.com`.
    package let name: String
    /// Grows with each write.
    package let version: Int
    /// JSON of at most 256 KiB. Contains private keys: seal it before it leaves the process.
    package let content: [UInt8]

    package init(name: String, version: Int, content: [UInt8]) {
        self.name = name
        self.version = version
        self.content = content
    }
}

/// Why documents can't be read or written: one line.
package struct CertificateStorageError: Error, Sendable {
    package let reason: String

    package init(reason: String) { self.reason = reason }
}

/// Stores accounts, certificates, pending challenges and the progress of renewals, for all servers.
package protocol CertificateStorage: Sendable {
    /// Nil if there is none.
    func document(_ name: String) async throws(CertificateStorageError) -> CertificateDocument?
    /// All documents whose names begin so.
    func documents(prefix: String) async throws(CertificateStorageError) -> [CertificateDocument]
    /// Writes the document if it has this version; nil: if there is none. Atomic and durable. False, with nothing changed,
    /// otherwise.
    func write(_ name: String, _ content: [UInt8], ifVersion version: Int?) async throws(CertificateStorageError)
        -> Bool
    /// Removes the document if there is one.
    func remove(_ name: String) async throws(CertificateStorageError)
}
