import Synchronization

/// Maps host names to certificates. Immutable: a reload makes a new table, and sessions keep theirs.
package final class CertificateTable: Sendable {
    let ticketKeys: TicketKeys
    private let contexts: [TLSContext]
    let unknownNames: UnknownNames
    /// Indices into `contexts`. Names are in lower case, wildcards as in certificates.
    private let positions: [String: Int]
    private let fileCertificates: [Certificate]
    /// Those in memory that are in use, for the next table.
    private let issuedContexts: [IssuedCertificate: IssuedContext]
    /// Names of the certificates from files; wildcards as in certificates.
    private let fileNames: Set<String>
    /// Whether clients that name no host are rejected: there is no certificate to show them.
    let rejectsUnnamed: Bool
    /// The pending challenges; nil without an authority.
    let challenges: ChallengeCertificates?
    /// The certificates loaded from files, for operators.
    package let entries: [Entry]
    /// The certificates in memory that can't be used, and why. Their hosts are served as if they had none.
    package let refused: [CertificateError]

    /// A certificate in use.
    package struct Entry: Sendable {
        package let files: CertificateFiles
        /// The host names that it is valid for.
        package let names: [String]
        /// When it became valid, in seconds since 1970.
        package let start: Int64
        /// When it expires, in seconds since 1970.
        package let expiry: Int64
        /// When its OCSP staple expires, in seconds since 1970; nil if it has none.
        package let stapleExpiry: Int64?

        /// Whether its staple has expired and is no longer sent.
        package var isStapleExpired: Bool { stapleExpiry.map { $0 <= UnixTime.now } ?? false }

        /// Seconds until it expires; negative if it has expired.
        package var secondsLeft: Int64 { expiry - UnixTime.now }
    }

    private struct IssuedContext {
        let certificate: Certificate
        let context: TLSContext
    }

    /// Loads and validates all certificates from files, or none.
    ///
    /// - Parameters:
    ///   - files: the first pair is for clients that name no host, or an unknown one. Several of different kinds (RSA,
    ///     ECDSA) for one name are offered together; of several of one kind the first is used. May be empty only if there
    ///     are `challenges`: then both sorts of clients are rejected.
    ///   - issued: certificates in memory, for their names that no file's certificate is valid for. One that OpenSSL
    ///     rejects is left out, and listed in `refused`.
    ///   - challenges: the pending challenges of an authority; the same object for all tables of the process.
    ///   - unknownNames: the treatment of clients that name a host without a certificate; always `reject` without files.
    ///   - ticketKeys: those of the previous table, so that clients can resume their sessions after a reload.
    package convenience init(
        _ files: [CertificateFiles], issued: [IssuedCertificate] = [], challenges: ChallengeCertificates? = nil,
        unknownNames: UnknownNames = .accept, ticketKeys: TicketKeys
    ) throws(CertificateError) {
        precondition(!files.isEmpty || challenges != nil, "TLS needs a certificate, or an authority that issues one")
        var certificates: [Certificate] = []
        for (index, pair) in files.enumerated() { certificates.append(try Certificate(pair, index: index)) }
        try self.init(
            files, certificates, issued: issued, known: [:], challenges: challenges, unknownNames: unknownNames,
            ticketKeys: ticketKeys)
    }

    /// The same certificates from files, which are not read again, with others in memory. Those that are in this table,
    /// too, cost nothing.
    package func with(issued: [IssuedCertificate]) throws(CertificateError) -> CertificateTable {
        try CertificateTable(
            entries.map(\.files), fileCertificates, issued: issued, known: issuedContexts, challenges: challenges,
            unknownNames: unknownNames, ticketKeys: ticketKeys)
    }

    private init(
        _ files: [CertificateFiles], _ certificates: [Certificate], issued: [IssuedCertificate],
        known knownContexts: [IssuedCertificate: IssuedContext], challenges: ChallengeCertificates?,
        unknownNames: UnknownNames, ticketKeys: TicketKeys
    ) throws(CertificateError) {
        fileCertificates = certificates
        self.unknownNames = files.isEmpty ? .reject : unknownNames
        rejectsUnnamed = files.isEmpty
        self.challenges = challenges
        self.ticketKeys = ticketKeys
        entries = zip(files, certificates).map { files, certificate in
            Entry(
                files: files, names: certificate.names, start: certificate.start, expiry: certificate.expiry,
                stapleExpiry: certificate.staple?.expiry)
        }
        let fileNames = Set(certificates.flatMap(\.names))
        self.fileNames = fileNames

        var contexts: [TLSContext] = []
        var indices: [String: [Int]] = [:]
        for (index, certificate) in certificates.enumerated() {
            for name in Set(certificate.names) { indices[name, default: []].append(index) }
        }
        var known: [[Int]: Int] = [:]
        /// The index of the context for a set of certificates; equal sets share one.
        func position(of set: [Int]) throws(CertificateError) -> Int {
            if let position = known[set] { return position }
            guard let context = TLSContext(set.map { certificates[$0] }, ticketKeys: ticketKeys) else {
                let reason = "OpenSSL refuses it (\(OpenSSLError.take() ?? "unknown reason"))"
                guard let index = set.first else {
                    throw CertificateError(part: .certificate, file: "the default of TLS", reason: reason, index: -1)
                }
                throw CertificateError(part: .certificate, file: files[index].certificate, reason: reason, index: index)
            }
            contexts.append(context)
            known[set] = contexts.count - 1
            return contexts.count - 1
        }
        // The default comes first: the first certificate, and other kinds under its name.
        _ = try position(
            of: files.isEmpty
                ? [] : certificates[0].names.first.map { Self.set(indices[$0] ?? [], of: certificates) } ?? [0])
        var positions: [String: Int] = [:]
        for (name, found) in indices { positions[name] = try position(of: Self.set(found, of: certificates)) }

        // The contexts after these may belong to several tables, so they get no reference to this one.
        let fileContexts = contexts.count
        var refused: [CertificateError] = []
        var issuedContexts: [IssuedCertificate: IssuedContext] = [:]
        for (index, issued) in issued.enumerated() {
            do throws(CertificateError) {
                let known = knownContexts[issued]
                let certificate: Certificate
                if let known {
                    certificate = known.certificate
                } else {
                    certificate = try Certificate(issued, index: index)
                }
                let names = certificate.names.filter { !Self.covers($0, fileNames) && positions[$0] == nil }
                guard !names.isEmpty else { continue }
                guard let context = known?.context ?? TLSContext([certificate], ticketKeys: ticketKeys) else {
                    throw CertificateError(
                        part: .certificate, file: issued.host,
                        reason: "OpenSSL refuses it (\(OpenSSLError.take() ?? "unknown reason"))", index: index)
                }
                issuedContexts[issued] = IssuedContext(certificate: certificate, context: context)
                contexts.append(context)
                for name in names { positions[name] = contexts.count - 1 }
            } catch {
                refused.append(error)
            }
        }
        self.refused = refused
        self.positions = positions
        self.contexts = contexts
        self.issuedContexts = issuedContexts
        for context in contexts.prefix(fileContexts) { context.connect(to: self) }
        // unsafe because the context is lent; the table retains the challenges as long as its sessions use it.
        if let challenges { unsafe ChallengeSelection.install(challenges, in: contexts[0].pointer) }
    }

    /// The certificates for a name, the first of each kind.
    ///
    /// - Parameter indices: those of all certificates with this name, in their order.
    private static func set(_ indices: [Int], of certificates: [Certificate]) -> [Int] {
        var kinds: Set<Certificate.Kind> = []
        return indices.filter { kinds.insert(certificates[$0].kind).inserted }
    }

    private static func covers(_ host: String, _ names: Set<String>) -> Bool {
        names.contains(host) || (CertificateNames.wildcard(for: host).map(names.contains) ?? false)
    }

    /// Whether a certificate from a file is valid for the host, which is in lower case and has no port: such hosts need
    /// none from an authority.
    package func isCoveredByFiles(_ host: String) -> Bool { Self.covers(host, fileNames) }

    /// The certificate from a file that clients of this host are shown; nil if there is none.
    package func entry(for host: String) -> Entry? {
        entries.first { $0.names.contains(host) }
            ?? entries.first { entry in CertificateNames.wildcard(for: host).map(entry.names.contains) ?? false }
    }

    /// Whether a certificate is valid for the host, which is in lower case and has no port.
    package func covers(_ host: String) -> Bool { context(named: host) != nil }

    /// For clients that name no host, or one without a certificate. Without files it has no certificate.
    var defaultContext: TLSContext { contexts[0] }

    /// The certificates for a host in the client's spelling: those with exactly this name, else those with a wildcard
    /// as its first label. Nil if there are none.
    func context(named bytes: UnsafeRawBufferPointer) -> TLSContext? {
        // unsafe because the bytes are only read and not stored.
        guard let name = unsafe CertificateNames.normalized(bytes), !name.hasPrefix("*") else { return nil }
        return context(named: name)
    }

    private func context(named name: String) -> TLSContext? {
        let position = positions[name] ?? CertificateNames.wildcard(for: name).flatMap { positions[$0] }
        return position.map { contexts[$0] }
    }

    /// Whether requests must be checked against the certificate shown: there are several sets of certificates, or
    /// unknown names are rejected.
    var bindsHosts: Bool { contexts.count > 1 || unknownNames == .reject }

    /// Whether a session of this context may serve requests for this host: false if only another context's
    /// certificate is valid for it. A host without a valid certificate is served by any context: the client has
    /// decided to trust the certificate shown. If unknown names are rejected, that applies only to clients that named
    /// no host in their handshake, such as a probe by address.
    func serves(_ host: Span<UInt8>, under pointer: OpaquePointer, hasNamedHost: Bool) -> Bool {
        // unsafe because the bytes are only read and not stored, and pointers are compared, not followed.
        guard let name = unsafe host.withUnsafeBufferPointer({ unsafe CertificateNames.normalized($0) }),
            let other = context(named: name)
        else { return unknownNames == .accept || !hasNamedHost }
        if unsafe other.pointer == pointer { return true }
        return contexts.contains { unsafe $0.pointer == pointer && $0.isValid(for: name) }
    }
}

/// The certificates of a running service. Safe to use from any thread.
package final class CertificateStore: Sendable {
    private let table: Mutex<CertificateTable>
    let counters = TLSCounters()

    package init(_ table: CertificateTable) {
        self.table = Mutex(table)
    }

    /// The table for new connections.
    package var current: CertificateTable { table.withLock { $0 } }

    /// Uses these certificates for new connections; open ones keep theirs.
    package func use(_ fresh: CertificateTable) {
        table.withLock { $0 = fresh }
    }

    /// The handshakes' results since the start.
    package var statistics: TLSStatistics {
        counters.statistics
    }
}
