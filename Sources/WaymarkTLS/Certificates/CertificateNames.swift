internal import CWaymarkOpenSSL

/// The host names that a certificate is valid for.
enum CertificateNames {
    /// In lower case; wildcards only as the whole first label (RFC 6125 section 6.4.3). The DNS names among the
    /// subject alternative names; the common name only if there are none.
    static func read(_ certificate: OpaquePointer) -> [String] {
        var names: [String] = []
        // unsafe because C structures are read: the stack is freed here, its elements are read within its count.
        if let found = unsafe X509_get_ext_d2i(certificate, NID_subject_alt_name, nil, nil) {
            let stack = OpaquePointer(found)
            defer { unsafe GENERAL_NAMES_free(stack) }
            for index in unsafe 0..<max(0, OPENSSL_sk_num(stack)) {
                guard let element = unsafe OPENSSL_sk_value(stack, index) else { continue }
                let name = unsafe element.assumingMemoryBound(to: GENERAL_NAME.self)
                guard unsafe name.pointee.type == GEN_DNS, let text = unsafe name.pointee.d.dNSName else { continue }
                if let name = unsafe checked(text) { names.append(name) }
            }
        }
        guard names.isEmpty else { return names }
        guard let subject = unsafe X509_get_subject_name(certificate) else { return [] }
        let position = unsafe X509_NAME_get_index_by_NID(subject, NID_commonName, -1)
        guard position >= 0, let entry = unsafe X509_NAME_get_entry(subject, position),
            let text = unsafe X509_NAME_ENTRY_get_data(entry), let name = unsafe checked(text)
        else { return [] }
        return [name]
    }

    /// A name in normalized form for lookups; nil if it is invalid: other characters than letters, digits, hyphens
    /// and dots, or an asterisk that is not the whole first label.
    static func normalized(_ bytes: some Sequence<UInt8>) -> String? {
        var result: [UInt8] = []
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): result.append(byte | 0x20)
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "."):
                result.append(byte)
            case UInt8(ascii: "*") where result.isEmpty: result.append(byte)
            default: return nil
            }
            guard result.count <= 254 else { return nil }
        }
        // A final dot marks an absolute name, which it is anyway.
        if result.last == UInt8(ascii: ".") { result.removeLast() }
        guard !result.isEmpty else { return nil }
        if result[0] == UInt8(ascii: "*"), result.count < 3 || result[1] != UInt8(ascii: ".") { return nil }
        return String(decoding: result, as: UTF8.self)
    }

    /// `*.example.com` for `go.example.com`; nil for a name of one label.
    static func wildcard(for name: String) -> String? {
        guard let dot = name.utf8.firstIndex(of: UInt8(ascii: ".")), dot > name.utf8.startIndex else { return nil }
        return "*" + name[dot...]
    }

    private static func checked(_ text: UnsafePointer<ASN1_STRING>) -> String? {
        // unsafe because the bytes are read within the length that C reports; a NUL among them is rejected like any
        // other invalid byte.
        guard let bytes = unsafe ASN1_STRING_get0_data(text) else { return nil }
        return unsafe normalized(UnsafeBufferPointer(start: bytes, count: Int(max(0, ASN1_STRING_length(text)))))
    }
}
