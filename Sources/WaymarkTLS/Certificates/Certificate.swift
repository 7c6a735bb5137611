internal import CWaymarkOpenSSL

/// A certificate with its chain and its private key, as OpenSSL objects.
///
/// `@unchecked Sendable` because OpenSSL counts references to these objects atomically, and nothing changes them after
/// `init`. `@safe` because the pointers are owned: freed in `deinit` and never handed out beyond the module.
@safe
final class Certificate: @unchecked Sendable {
    /// The signature algorithm that a client must support; a name may have one certificate of each kind.
    enum Kind: Hashable {
        case rsa, ecdsa, edwards
    }

    let kind: Kind
    /// The names that it is valid for, in lower case; wildcards as `*.example.com`.
    let names: [String]
    /// When it became valid, in seconds since 1970.
    let start: Int64
    /// When it expires, in seconds since 1970.
    let expiry: Int64
    /// The OCSP response of its issuer, from the operator's file.
    let staple: OCSPStaple?
    private let leaf: OpaquePointer
    private let chain: OpaquePointer
    private let key: OpaquePointer

    /// Reads both files and checks that the key matches the certificate.
    ///
    /// - Parameter index: the index of the pair in the configuration, for the error.
    convenience init(_ files: CertificateFiles, index: Int) throws(CertificateError) {
        func refusal(_ part: CertificateError.Part, _ reason: String) -> CertificateError {
            let file =
                switch part {
                case .certificate: files.certificate
                case .privateKey: files.privateKey
                case .ocspStaple: files.ocspStaple ?? ""
                }
            return CertificateError(part: part, file: file, reason: reason, index: index)
        }
        let certificates: PEMCertificates
        do throws(PEMError) {
            certificates = try PEMCertificates(path: files.certificate)
        } catch {
            throw refusal(.certificate, error.reason)
        }
        let privateKey: PEMPrivateKey
        do throws(PEMError) {
            privateKey = try PEMPrivateKey(path: files.privateKey)
        } catch {
            throw refusal(.privateKey, error.reason)
        }
        try self.init(certificates, privateKey, ocspStaple: files.ocspStaple, path: files.certificate, refusal)
    }

    /// Reads both texts and checks that the key matches the certificate.
    ///
    /// - Parameter index: the index of the certificate among those in memory, for the error.
    convenience init(_ issued: IssuedCertificate, index: Int) throws(CertificateError) {
        func refusal(_ part: CertificateError.Part, _ reason: String) -> CertificateError {
            CertificateError(part: part, file: issued.host, reason: reason, index: index)
        }
        let certificates: PEMCertificates
        do throws(PEMError) {
            certificates = try PEMCertificates(text: issued.chain)
        } catch {
            throw refusal(.certificate, error.reason)
        }
        let privateKey: PEMPrivateKey
        do throws(PEMError) {
            privateKey = try PEMPrivateKey(text: issued.privateKey)
        } catch {
            throw refusal(.privateKey, error.reason)
        }
        try self.init(certificates, privateKey, ocspStaple: nil, path: issued.host, refusal)
    }

    private init(
        _ certificates: consuming PEMCertificates, _ privateKey: consuming PEMPrivateKey, ocspStaple: String?,
        path: String, _ refusal: (CertificateError.Part, String) -> CertificateError
    ) throws(CertificateError) {
        // unsafe because these are C objects; each is owned by a local that frees it, until `self` takes ownership.
        guard unsafe X509_check_private_key(certificates.leaf, privateKey.pointer) == 1 else {
            OpenSSLError.clear()
            let isElsewhere = certificates.issuerMatches(privateKey)
            throw isElsewhere
                ? refusal(.certificate, "the server's own certificate must be the first in the file")
                : refusal(.privateKey, "the private key does not belong to the certificate \(path)")
        }
        switch unsafe EVP_PKEY_get_base_id(privateKey.pointer) {
        case EVP_PKEY_RSA, EVP_PKEY_RSA_PSS: kind = .rsa
        case EVP_PKEY_EC: kind = .ecdsa
        case EVP_PKEY_ED25519, EVP_PKEY_ED448: kind = .edwards
        default: throw refusal(.privateKey, "the kind of private key is not supported; use RSA, ECDSA or Ed25519")
        }
        // unsafe because C objects are read and change ownership: from here on `self` frees them.
        names = unsafe CertificateNames.read(certificates.leaf)
        start = unsafe UnixTime.seconds(X509_get0_notBefore(certificates.leaf)) ?? 0
        expiry = unsafe UnixTime.seconds(X509_get0_notAfter(certificates.leaf)) ?? 0
        if let ocspStaple {
            do throws(PEMError) {
                staple = try OCSPStaple(path: ocspStaple, of: certificates)
            } catch {
                throw refusal(.ocspStaple, error.reason)
            }
        } else {
            staple = nil
        }
        unsafe (leaf, chain) = certificates.release()
        unsafe key = privateKey.release()
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { return }
        defer { unsafe SSL_CTX_free(context) }
        // Installed once here, so that an error of OpenSSL (a key that is too short, for example) names the file.
        guard unsafe install(in: context) else {
            throw refusal(.certificate, "OpenSSL refuses it (\(OpenSSLError.take() ?? "unknown reason"))")
        }
    }

    deinit {
        // unsafe because C objects are released; contexts and sessions that use them have references of their own.
        unsafe X509_free(leaf)
        unsafe PEMCertificates.freeStack(chain)
        unsafe EVP_PKEY_free(key)
    }

    /// Whether OpenSSL's object is this certificate.
    func isLeaf(_ pointer: OpaquePointer) -> Bool {
        // unsafe because pointers are compared, not followed.
        unsafe leaf == pointer
    }

    /// Installs this certificate in a context, for clients that support its kind; false if OpenSSL rejects it.
    func install(in context: OpaquePointer) -> Bool {
        OpenSSLError.clear()
        // unsafe because C objects are passed on; the context takes its own references.
        return unsafe SSL_CTX_use_cert_and_key(context, leaf, key, chain, 1) == 1
    }
}
