import WaymarkTLS

/// A value together with what its source calls it, for messages: `--certificate`, `WAYMARK_CERTIFICATE`.
struct Named<Value: Sendable>: Sendable {
    let value: Value
    let name: String

    init(_ value: Value, name: String) {
        self.value = value
        self.name = name
    }
}

/// A certificate and its private key, as paths.
struct CertificateSetting: Sendable {
    let certificate: Named<String>
    let privateKey: Named<String>
    /// Only the file knows it.
    var ocspStaple: Named<String>?

    var files: CertificateFiles {
        CertificateFiles(
            certificate: certificate.value, privateKey: privateKey.value, ocspStaple: ocspStaple?.value)
    }

    /// What all sources together say. A pair from flags or environment stands in place of those from the file.
    static func all(_ merged: ConfigurationLayer) throws -> [CertificateSetting] {
        let settings: [CertificateSetting]
        switch (merged.certificate, merged.privateKey) {
        case (nil, nil): settings = merged.certificates ?? []
        case (let certificate?, let privateKey?):
            settings = [CertificateSetting(certificate: certificate, privateKey: privateKey)]
        case (let certificate?, nil):
            throw CommandFailure.usage(
                "\(certificate.name): a certificate needs its private key; give --private-key or WAYMARK_PRIVATE_KEY")
        case (nil, let privateKey?):
            throw CommandFailure.usage(
                "\(privateKey.name): a private key needs its certificate; give --certificate or WAYMARK_CERTIFICATE")
        }
        if let listen = merged.tlsListen, !listen.value.isEmpty, settings.isEmpty {
            throw CommandFailure.usage(
                "\(listen.name): TLS needs a certificate; give --certificate and --private-key, or certificates in the file"
            )
        }
        return settings
    }
}

extension ConfigurationValue {
    static func namedPath(_ text: String, name: String) throws -> Named<String> {
        Named(try path(text, name: name), name: name)
    }
}

extension Configuration {
    /// Reads and checks the certificates, whether or not TLS is listened for; nil where there are none.
    ///
    /// - Parameter keys: those of the table before, so that clients can resume their sessions.
    /// - Throws: `CommandFailure` in one line, with the setting and the file.
    func certificateTable(keys: TicketKeys) throws -> CertificateTable? {
        guard !certificates.isEmpty else { return nil }
        do throws(CertificateError) {
            return try CertificateTable(certificates.map(\.files), unknownNames: unknownNames, ticketKeys: keys)
        } catch {
            let setting = certificates[error.index]
            let name =
                switch error.part {
                case .certificate: setting.certificate.name
                case .privateKey: setting.privateKey.name
                case .ocspStaple: setting.ocspStaple?.name ?? setting.certificate.name
                }
            throw CommandFailure.usage("\(name): \(error)")
        }
    }
}
