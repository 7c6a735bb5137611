import WaymarkBytes
import WaymarkJSON
package import WaymarkTLS

/// The document of a certificate: `certificate/<host>`.
package struct StoredCertificate: Sendable, Equatable {
    package let issued: IssuedCertificate
    /// The parsed chain.
    package let chain: CertificateChain
    /// The URL of the directory of the authority that issued it.
    package let directory: String

    init(_ issued: IssuedCertificate, chain: CertificateChain, directory: String) {
        self.issued = issued
        self.chain = chain
        self.directory = directory
    }

    /// Nil if the document can't be decoded.
    init?(_ json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let host = value["host"]?.string,
            let text = value["chain"]?.string, let key = value["key"]?.string,
            let chain = try? CertificateChain(pem: Array(text.utf8))
        else { return nil }
        self.init(
            IssuedCertificate(host: host, chain: Array(text.utf8), privateKey: Array(key.utf8)), chain: chain,
            directory: value["directory"]?.string ?? "")
    }

    var json: [UInt8] {
        var writer = JSONWriter(capacity: 8_192)
        writer.beginObject()
        writer.member("host", issued.host)
        writer.member("directory", directory)
        writer.member("chain", String(decoding: issued.chain, as: UTF8.self))
        writer.member("key", String(decoding: issued.privateKey, as: UTF8.self))
        writer.endObject()
        return writer.bytes
    }

    /// Identifies the certificate to its authority (RFC 9773 section 4.1); nil without an authority key identifier.
    var renewalIdentifier: String? {
        chain.authorityKeyIdentifier.map { Base64.urlText($0) + "." + Base64.urlText(chain.serialNumber) }
    }
}
