import WaymarkJSON
import WaymarkTLS

/// The paths of a certificate and its private key.
struct CertificateSetting: Sendable, Equatable {
    let certificate: NamedPath
    let privateKey: NamedPath
    /// Only available in the file.
    var ocspStaple: NamedPath?

    var files: CertificateFiles {
        CertificateFiles(
            certificate: certificate.path, privateKey: privateKey.path, ocspStaple: ocspStaple?.path)
    }
}

extension SettingType<[CertificateSetting]> {
    static var certificates: SettingType {
        array(
            of: SettingType<CertificateSetting>(
                "an object with certificate and privateKey",
                read: { value, source in
                    let object = try SettingObject(value, source, members: ["certificate", "privateKey", "ocspStaple"])
                    return CertificateSetting(
                        certificate: try object.required("certificate", .namedPath),
                        privateKey: try object.required("privateKey", .namedPath),
                        ocspStaple: try object.value("ocspStaple", .namedPath))
                },
                write: { setting in
                    var members: JSONObject = [
                        "certificate": JSONValue(setting.certificate.path),
                        "privateKey": JSONValue(setting.privateKey.path),
                    ]
                    members["ocspStaple"] = setting.ocspStaple.map { JSONValue($0.path) }
                    return JSONValue(members)
                }), "an array of objects, each with certificate and privateKey, and ocspStaple where there is one")
    }
}

extension Configuration {
    /// Replaces the certificates of the file with a pair from flags or environment.
    mutating func useCertificatePair() throws {
        switch (self.certificate, self.privateKey) {
        case (nil, nil): break
        case (let certificate?, let privateKey?):
            self.certificates = [CertificateSetting(certificate: certificate, privateKey: privateKey)]
        case (let certificate?, nil):
            throw CommandFailure.usage(
                "\(certificate.name): a certificate needs its private key; give --private-key or WAYMARK_PRIVATE_KEY")
        case (nil, let privateKey?):
            throw CommandFailure.usage(
                "\(privateKey.name): a private key needs its certificate; give --certificate or WAYMARK_CERTIFICATE")
        }
        if !self.tlsListen.isEmpty, self.certificates.isEmpty, self.acme == nil {
            throw CommandFailure.usage(
                "\(sourceName(of: \.tlsListen)): TLS needs a certificate; give --certificate and --private-key, or certificates or acme in the file"
            )
        }
    }

    /// Reads and checks the certificates, whether or not TLS is enabled; nil if there are none.
    ///
    /// - Parameters:
    ///   - keys: the ticket keys of the previous table, so that clients can resume sessions.
    ///   - challenges: nil without an authority.
    /// - Throws: `CommandFailure` in one line, with the setting and the file.
    func certificateTable(
        keys: TicketKeys, challenges: ChallengeCertificates? = nil
    ) throws -> CertificateTable? {
        let certificates = self.certificates
        guard !certificates.isEmpty || challenges != nil else { return nil }
        do throws(CertificateError) {
            return try CertificateTable(
                certificates.map(\.files), challenges: challenges, unknownNames: self.unknownNames, ticketKeys: keys)
        } catch {
            // Without files it is TLS itself that can't be set up.
            guard certificates.indices.contains(error.index) else {
                throw CommandFailure.usage("\(sourceName(of: \.acme)): TLS can't be set up: \(error)")
            }
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
