internal import CWaymarkOpenSSL

/// A chain of certificates, parsed from PEM in memory.
package struct CertificateChain: Sendable, Equatable {
    package struct Failure: Error, Sendable, Equatable {
        package let reason: String
    }

    /// Maximum size of a chain, in bytes.
    package static let sizeLimit = 131_072
    /// Maximum number of certificates.
    package static let countLimit = 16

    /// The host names that the first certificate is valid for, in lower case.
    package let names: [String]
    /// When it becomes valid, in seconds since 1970.
    package let notBefore: Int64
    /// When it expires, in seconds since 1970.
    package let notAfter: Int64
    /// The key identifier of its issuer (RFC 5280 section 4.2.1.1); nil if it has none.
    package let authorityKeyIdentifier: [UInt8]?
    /// The content of the serial number's DER encoding: big-endian, with a leading 0 if the highest bit is set.
    package let serialNumber: [UInt8]
    /// The first certificate in DER.
    package let leaf: [UInt8]
    /// The SHA-256 digest of the public key (its SubjectPublicKeyInfo), 32 bytes.
    private let publicKeyDigest: [UInt8]

    /// - Parameter pem: the server's certificate first, then its issuers.
    package init(pem: [UInt8]) throws(Failure) {
        guard pem.count <= Self.sizeLimit else {
            throw Failure(reason: "the chain is larger than \(Self.sizeLimit) bytes")
        }
        let certificates: PEMCertificates
        do throws(PEMError) {
            certificates = try PEMCertificates(text: pem)
        } catch {
            throw Failure(reason: error.reason)
        }
        guard certificates.issuerCount < Self.countLimit else {
            throw Failure(reason: "the chain has more than \(Self.countLimit) certificates")
        }
        // unsafe because C objects are read that a local owns.
        let leaf = unsafe certificates.leaf
        guard let start = unsafe UnixTime.seconds(X509_get0_notBefore(leaf)),
            let end = unsafe UnixTime.seconds(X509_get0_notAfter(leaf)), start < end,
            let encoded = unsafe MemoryBIO.bytes({ file in unsafe i2d_X509_bio(file, leaf) == 1 }),
            let digest = unsafe Self.publicKeyDigest(X509_get0_pubkey(leaf)),
            let serial = unsafe Self.content(of: X509_get0_serialNumber(leaf))
        else {
            OpenSSLError.clear()
            throw Failure(reason: "the certificate has no usable times, serial number or key")
        }
        names = unsafe CertificateNames.read(leaf)
        notBefore = start
        notAfter = end
        // unsafe because the bytes are read within the length that C reports.
        authorityKeyIdentifier = unsafe X509_get0_authority_key_id(leaf).flatMap { identifier in
            guard let bytes = unsafe ASN1_STRING_get0_data(identifier) else { return nil }
            return unsafe Array(
                UnsafeBufferPointer(start: bytes, count: Int(max(0, ASN1_STRING_length(identifier)))))
        }
        serialNumber = serial
        self.leaf = encoded
        publicKeyDigest = digest
        OpenSSLError.clear()
    }

    /// Whether the key is the first certificate's.
    package func matches(_ key: P256Key) -> Bool {
        // unsafe because a C object is passed on that the key owns.
        unsafe Self.publicKeyDigest(key.pointer) == publicKeyDigest
    }

    /// Whether the first certificate is valid for the host, by its name or by a wildcard.
    package func isValid(for host: String) -> Bool {
        names.contains(host) || (CertificateNames.wildcard(for: host).map(names.contains) ?? false)
    }

    private static func publicKeyDigest(_ key: OpaquePointer?) -> [UInt8]? {
        // unsafe because C writes the key to a file that the closure is lent.
        guard let key = unsafe key else { return nil }
        return unsafe MemoryBIO.bytes { file in unsafe i2d_PUBKEY_bio(file, key) == 1 }.map { SHA256.digest(of: $0) }
    }

    /// The content of an INTEGER, without its tag and length.
    private static func content(of number: UnsafePointer<ASN1_INTEGER>?) -> [UInt8]? {
        // unsafe because a C object is read, and the one that is made is freed here.
        guard let number = unsafe number, let value = unsafe ASN1_INTEGER_to_BN(number, nil) else { return nil }
        defer { unsafe BN_free(value) }
        // RFC 5280 section 4.1.2.2 limits serial numbers to 20 bytes.
        let count = (Int(unsafe BN_num_bits(value)) + 7) / 8
        guard unsafe BN_is_negative(value) == 0, count <= 64 else { return nil }
        var bytes = [UInt8](repeating: 0, count: max(1, count))
        guard unsafe BN_bn2binpad(value, &bytes, Int32(bytes.count)) >= 0 else { return nil }
        return bytes[0] & 0x80 == 0 ? bytes : [0] + bytes
    }
}
