internal import CWaymarkOpenSSL

/// Why a PEM file can't be used.
struct PEMError: Error {
    let reason: String

    /// The error of opening or reading a file, from OpenSSL's error queue.
    static func unreadable() -> PEMError {
        PEMError(reason: "the file can't be read (\(OpenSSLError.take() ?? "unknown reason"))")
    }
}

/// The certificates of a file, in its order. Frees those that have not been released.
/// `@safe` because the pointers are owned, and lent out only where documented.
@safe
struct PEMCertificates: ~Copyable {
    /// The first one: the server's.
    let leaf: OpaquePointer
    /// The others, as a stack of X509.
    private let chain: OpaquePointer

    init(path: String) throws(PEMError) {
        OpenSSLError.clear()
        // unsafe because a C object is made, which is freed on every path.
        guard let file = unsafe BIO_new_file(path, "r") else { throw .unreadable() }
        defer { unsafe BIO_free(file) }
        unsafe try self.init(reading: file)
    }

    /// - Parameter text: The content of a PEM file.
    init(text: [UInt8]) throws(PEMError) {
        // unsafe because a C object is made, which is freed on every path.
        guard let file = unsafe MemoryBIO.make(holding: text) else { throw PEMError(reason: "out of memory") }
        defer { unsafe BIO_free(file) }
        unsafe try self.init(reading: file)
    }

    private init(reading file: OpaquePointer) throws(PEMError) {
        OpenSSLError.clear()
        // unsafe because C objects are made; each is freed on every path, or owned by the initialized value.
        guard let leaf = unsafe PEM_read_bio_X509(file, nil, refusePassphrase, nil) else {
            throw Self.isAtEnd() ? PEMError(reason: "the file holds no certificate in PEM form") : Self.malformed()
        }
        guard let chain = unsafe OPENSSL_sk_new_null() else {
            unsafe X509_free(leaf)
            throw PEMError(reason: "out of memory")
        }
        while let issuer = unsafe PEM_read_bio_X509(file, nil, refusePassphrase, nil) {
            if unsafe OPENSSL_sk_push(chain, UnsafeRawPointer(issuer)) <= 0 { unsafe X509_free(issuer) }
        }
        guard Self.isAtEnd() else {
            unsafe X509_free(leaf)
            unsafe Self.freeStack(chain)
            throw Self.malformed()
        }
        unsafe self.leaf = leaf
        unsafe self.chain = chain
    }

    deinit {
        // unsafe because C objects are freed that nothing else owns.
        unsafe X509_free(leaf)
        unsafe Self.freeStack(chain)
    }

    /// Transfers both to the caller, who frees them.
    consuming func release() -> (leaf: OpaquePointer, chain: OpaquePointer) {
        // unsafe because ownership moves to the caller: this value's lifetime ends without freeing them.
        let both = unsafe (leaf, chain)
        discard self
        return unsafe both
    }

    /// The certificate after the first, which issued it; nil if the file has none.
    var issuer: OpaquePointer? {
        // unsafe because the stack's first element is lent, which lives as long as this value.
        unsafe OPENSSL_sk_num(chain) > 0 ? OPENSSL_sk_value(chain, 0).map { OpaquePointer($0) } : nil
    }

    /// Certificates after the first.
    var issuerCount: Int {
        // unsafe because the stack is only read.
        Int(max(0, unsafe OPENSSL_sk_num(chain)))
    }

    /// Whether the key matches one of the certificates after the first: then the file is in the wrong order.
    func issuerMatches(_ key: borrowing PEMPrivateKey) -> Bool {
        defer { OpenSSLError.clear() }
        // unsafe because the stack's elements are only read, within its count.
        return unsafe (0..<OPENSSL_sk_num(chain)).contains { index in
            unsafe X509_check_private_key(OpaquePointer(OPENSSL_sk_value(chain, index)), key.pointer) == 1
        }
    }

    static func freeStack(_ stack: OpaquePointer) {
        // unsafe because it frees a stack of certificates with its elements.
        unsafe OPENSSL_sk_pop_free(stack) { element in unsafe X509_free(element.map { OpaquePointer($0) }) }
    }

    /// Whether reading stopped because no more PEM data follows.
    private static func isAtEnd() -> Bool {
        let error = ERR_peek_last_error()
        guard ERR_GET_LIB(error) == ERR_LIB_PEM, ERR_GET_REASON(error) == PEM_R_NO_START_LINE else { return false }
        OpenSSLError.clear()
        return true
    }

    private static func malformed() -> PEMError {
        PEMError(reason: "a certificate in the file can't be read (\(OpenSSLError.take() ?? "unknown reason"))")
    }
}

/// The private key of a file. Frees it unless it has been released.
/// `@safe` because the pointer is owned, and lent out only where documented.
@safe
struct PEMPrivateKey: ~Copyable {
    let pointer: OpaquePointer

    init(path: String) throws(PEMError) {
        OpenSSLError.clear()
        // unsafe because a C object is made, which is freed on every path.
        guard let file = unsafe BIO_new_file(path, "r") else { throw .unreadable() }
        defer { unsafe BIO_free(file) }
        unsafe try self.init(reading: file)
    }

    /// - Parameter text: The content of a PEM file.
    init(text: [UInt8]) throws(PEMError) {
        // unsafe because a C object is made, which is freed on every path.
        guard let file = unsafe MemoryBIO.make(holding: text) else { throw PEMError(reason: "out of memory") }
        defer { unsafe BIO_free(file) }
        unsafe try self.init(reading: file)
    }

    private init(reading file: OpaquePointer) throws(PEMError) {
        OpenSSLError.clear()
        // unsafe because a C object is made, which the value owns.
        guard let key = unsafe PEM_read_bio_PrivateKey(file, nil, refusePassphrase, nil) else {
            let error = ERR_peek_last_error()
            let isPEM = ERR_GET_LIB(error) == ERR_LIB_PEM
            let isUnknown = ERR_GET_LIB(error) == ERR_LIB_OSSL_DECODER && ERR_GET_REASON(error) == ERR_R_UNSUPPORTED
            if isUnknown || (isPEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE) {
                OpenSSLError.clear()
                throw PEMError(reason: "the file holds no private key in PEM form")
            }
            if isPEM, ERR_GET_REASON(error) == PEM_R_BAD_PASSWORD_READ {
                OpenSSLError.clear()
                throw PEMError(reason: "the private key has a passphrase; give one without")
            }
            throw PEMError(
                reason: "the private key in the file can't be read (\(OpenSSLError.take() ?? "unknown reason"))")
        }
        unsafe pointer = key
    }

    deinit {
        // unsafe because a C object is freed that nothing else owns.
        unsafe EVP_PKEY_free(pointer)
    }

    /// Transfers the key to the caller, who frees it.
    consuming func release() -> OpaquePointer {
        // unsafe because ownership moves to the caller: this value's lifetime ends without freeing it.
        let key = unsafe pointer
        discard self
        return unsafe key
    }
}

/// Without it OpenSSL would prompt for a passphrase on the terminal, and a starting service would hang.
private let refusePassphrase:
    @convention(c) (UnsafeMutablePointer<CChar>?, Int32, Int32, UnsafeMutableRawPointer?) -> Int32 = { _, _, _, _ in -1
    }
