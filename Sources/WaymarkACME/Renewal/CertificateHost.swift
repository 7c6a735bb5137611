import WaymarkBytes

/// Hosts for which an authority issues a certificate by the challenges that are known here.
enum CertificateHost {
    /// The host in lower case and without a final dot.
    static func normalized(_ host: String) -> String {
        let host = host.lowercased()
        return host.hasSuffix(".") ? String(host.dropLast()) : host
    }

    /// Why no certificate can be ordered; nil if one can.
    ///
    /// - Parameter host: normalized.
    static func problem(with host: String) -> String? {
        if host.hasPrefix("*.") {
            return "no certificate can be ordered for all names of a domain; name the hosts, or configure a file"
        }
        if host.hasPrefix("[") || IPAddress(host) != nil {
            return "no certificate can be ordered for an address; configure a file"
        }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        let isName =
            host.utf8.count <= 253
            && labels.allSatisfy { label in
                (1...63).contains(label.utf8.count) && !label.hasPrefix("-") && !label.hasSuffix("-")
                    && label.utf8.allSatisfy { $0.isDigit || (0x61...0x7A).contains($0) || $0 == 0x2D }
            }
        return isName ? nil : "no certificate can be ordered for this name: it is not a host name in ASCII"
    }
}
