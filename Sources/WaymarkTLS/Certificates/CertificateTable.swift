import Synchronization

/// Which certificates are shown for which host name. Immutable: a reload makes a new one, and sessions keep theirs.
package final class CertificateTable: Sendable {
    let ticketKeys: TicketKeys
    private let contexts: [TLSContext]
    let unknownNames: UnknownNames
    /// Positions in `contexts`. Names in lower case, with wildcards as they are written in certificates.
    private let positions: [String: Int]
    /// What was read, with what an operator may want to know.
    package let entries: [Entry]

    /// A certificate in use.
    package struct Entry: Sendable {
        package let files: CertificateFiles
        /// The host names that it is valid for.
        package let names: [String]
        /// When it expires, in seconds since 1970.
        package let expiry: Int64
        /// When its OCSP staple expires, in seconds since 1970; nil where it has none.
        package let stapleExpiry: Int64?

        /// Whether it has one that is not shown any more.
        package var isStapleExpired: Bool { stapleExpiry.map { $0 <= UnixTime.now } ?? false }

        /// Seconds until it expires; negative where it has.
        package var secondsLeft: Int64 { expiry - UnixTime.now }
    }

    /// Reads and checks all of them, or none.
    ///
    /// - Parameters:
    ///   - files: one pair at least. The first is for clients that name no host, or one that nobody knows. Several of
    ///     different kinds (RSA, ECDSA) for one name are offered together; of several of one kind the first counts.
    ///   - unknownNames: what a client is shown that names a host for which there is no certificate.
    ///   - ticketKeys: kept from the table before, so that clients can resume their sessions after a reload.
    package init(
        _ files: [CertificateFiles], unknownNames: UnknownNames = .accept, ticketKeys: TicketKeys
    ) throws(CertificateError) {
        precondition(!files.isEmpty, "TLS needs a certificate")
        var certificates: [Certificate] = []
        for (index, pair) in files.enumerated() { certificates.append(try Certificate(pair, index: index)) }
        self.unknownNames = unknownNames
        self.ticketKeys = ticketKeys
        entries = zip(files, certificates).map { files, certificate in
            Entry(
                files: files, names: certificate.names, expiry: certificate.expiry,
                stapleExpiry: certificate.staple?.expiry)
        }

        var positions: [String: Int] = [:]
        var contexts: [TLSContext] = []
        var known: [[Int]: Int] = [:]
        /// The context of a set of certificates; the same set has one only.
        func position(of set: [Int]) throws(CertificateError) -> Int {
            if let position = known[set] { return position }
            guard let context = TLSContext(set.map { certificates[$0] }) else {
                let index = set[0]
                throw CertificateError(
                    part: .certificate, file: files[index].certificate,
                    reason: "OpenSSL refuses it (\(OpenSSLError.take() ?? "unknown reason"))", index: index)
            }
            contexts.append(context)
            known[set] = contexts.count - 1
            return contexts.count - 1
        }
        // The default comes first: the first certificate, and what else is there under its name.
        _ = try position(of: certificates[0].names.first.map { Self.set(for: $0, of: certificates) } ?? [0])
        for name in Set(certificates.flatMap(\.names)) {
            positions[name] = try position(of: Self.set(for: name, of: certificates))
        }
        self.positions = positions
        self.contexts = contexts
        for context in contexts { context.connect(to: self) }
    }

    /// The certificates of a name, the first of each kind.
    private static func set(for name: String, of certificates: [Certificate]) -> [Int] {
        var kinds: Set<Certificate.Kind> = []
        return certificates.indices.filter { index in
            certificates[index].names.contains(name) && kinds.insert(certificates[index].kind).inserted
        }
    }

    /// The one of OpenSSL's object.
    func context(at pointer: OpaquePointer) -> TLSContext? {
        // unsafe because addresses are compared.
        contexts.first { unsafe $0.pointer == pointer }
    }

    /// Whether a certificate is valid for the host, which is in lower case and has no port.
    package func covers(_ host: String) -> Bool { context(named: host) != nil }

    /// For clients that name no host, or one that no certificate is valid for.
    var defaultContext: TLSContext { contexts[0] }

    /// The certificates for a host as a client writes it: those of exactly this name, else of a wildcard in the place of
    /// its first label. Nil where none is valid for it.
    func context(named bytes: UnsafeRawBufferPointer) -> TLSContext? {
        // unsafe because the bytes are read, and nothing of them kept.
        guard let name = unsafe CertificateNames.normalized(bytes), !name.hasPrefix("*") else { return nil }
        return context(named: name)
    }

    private func context(named name: String) -> TLSContext? {
        let position = positions[name] ?? CertificateNames.wildcard(for: name).flatMap { positions[$0] }
        return position.map { contexts[$0] }
    }

    /// Whether a request can come under the wrong certificate: there is more than one set of them, or every name is held to
    /// those there are.
    var bindsHosts: Bool { contexts.count > 1 || unknownNames == .reject }

    /// Whether a request for this host belongs on a session of this context: not where only another one is valid for it.
    /// A host that none is valid for is served by each: whoever comes has decided to trust what it was shown. Where unknown
    /// names are refused that holds only for clients that named none in their handshake, such as a probe by address.
    func serves(_ host: Span<UInt8>, under pointer: OpaquePointer, hasNamedHost: Bool) -> Bool {
        // unsafe because the bytes are read and nothing of them is kept, and addresses are only compared.
        guard let name = unsafe host.withUnsafeBufferPointer({ unsafe CertificateNames.normalized($0) }),
            let other = context(named: name)
        else { return unknownNames == .accept || !hasNamedHost }
        return contexts.contains { unsafe $0.pointer == pointer && ($0 === other || $0.isValid(for: name)) }
    }
}

/// The certificates of a running service. Safe to use from any thread.
package final class CertificateStore: Sendable {
    private let table: Mutex<CertificateTable>
    let counters = TLSCounters()

    package init(_ table: CertificateTable) {
        self.table = Mutex(table)
    }

    /// What new connections get.
    package var current: CertificateTable { table.withLock { $0 } }

    /// Gives new connections these certificates; those that are open keep what they have.
    package func use(_ fresh: CertificateTable) {
        table.withLock { $0 = fresh }
    }

    /// How handshakes ended, since the start.
    package var statistics: TLSStatistics {
        counters.statistics
    }
}
