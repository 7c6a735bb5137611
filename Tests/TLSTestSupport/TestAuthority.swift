import CWaymarkOpenSSL
import Foundation
package import WaymarkTLS
import WaymarkTestSupport

/// An authority with an OCSP responder, made with the `openssl` command, and what it issues. Its folder goes with it.
package final class TestAuthority: Sendable {
    private let temporary: TemporaryFolder

    package init() throws {
        temporary = try TemporaryFolder()
        run([
            "req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=authority", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-keyout", path("ca.key"), "-out", path("ca.pem"),
        ])
    }

    package var folder: String { temporary.path }

    package func path(_ name: String) -> String { temporary.path(name) }

    /// A certificate with its chain; the staple is where `staple` puts it.
    ///
    /// - Parameter days: how long it is valid from now on; -1 makes one that has expired.
    package func issue(
        _ name: String, names: [String], serial: Int, isChained: Bool = true, days: Int = 30
    ) -> CertificateFiles {
        let files = CertificateFiles(
            certificate: path("\(name).pem"), privateKey: path("\(name).key"), ocspStaple: path("\(name).ocsp"))
        run([
            "req", "-nodes", "-subj", "/CN=\(name)", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
            "-keyout", files.privateKey, "-out", path("\(name).csr"),
        ])
        let alternatives = "subjectAltName=" + names.map { "DNS:\($0)" }.joined(separator: ",")
        try? alternatives.write(toFile: path("\(name).ext"), atomically: true, encoding: .utf8)
        run([
            "x509", "-req", "-in", path("\(name).csr"), "-CA", path("ca.pem"), "-CAkey", path("ca.key"),
            "-set_serial", "\(serial)", "-days", "\(days)", "-extfile", path("\(name).ext"), "-out", files.certificate,
        ])
        if isChained, let leaf = try? String(contentsOfFile: files.certificate, encoding: .utf8),
            let issuer = try? String(contentsOfFile: path("ca.pem"), encoding: .utf8)
        {
            try? (leaf + issuer).write(toFile: files.certificate, atomically: true, encoding: .utf8)
        }
        return files
    }

    /// An answer that held until an hour ago, which the command can't make.
    package func stapleExpired(_ files: CertificateFiles) throws {
        func certificate(_ path: String) -> OpaquePointer? {
            guard let file = BIO_new_file(path, "r") else { return nil }
            defer { BIO_free(file) }
            return PEM_read_bio_X509(file, nil, nil, nil)
        }
        guard let leaf = certificate(files.certificate), let issuer = certificate(path("ca.pem")),
            let file = BIO_new_file(path("ca.key"), "r"), let key = PEM_read_bio_PrivateKey(file, nil, nil, nil),
            let basic = OCSP_BASICRESP_new()
        else { throw CocoaError(.fileReadUnknown) }
        let start = ASN1_GENERALIZEDTIME_set(nil, time(nil) - 7_200)
        let end = ASN1_GENERALIZEDTIME_set(nil, time(nil) - 3_600)
        OCSP_basic_add1_status(
            basic, OCSP_cert_to_id(EVP_sha1(), leaf, issuer), V_OCSP_CERTSTATUS_GOOD, 0, nil, start, end)
        OCSP_basic_sign(basic, issuer, key, EVP_sha256(), nil, 0)
        let response = OCSP_response_create(OCSP_RESPONSE_STATUS_SUCCESSFUL, basic)
        var bytes: UnsafeMutablePointer<UInt8>?
        let count = i2d_OCSP_RESPONSE(response, &bytes)
        guard let bytes, count > 0 else { throw CocoaError(.fileWriteUnknown) }
        try Data(bytes: bytes, count: Int(count)).write(to: URL(fileURLWithPath: files.ocspStaple ?? ""))
        OCSP_RESPONSE_free(response)
        OCSP_BASICRESP_free(basic)
        EVP_PKEY_free(key)
        BIO_free(file)
        X509_free(leaf)
        X509_free(issuer)
    }

    /// What the responder says of a certificate: its state in an index (V valid, R revoked), or nil where it is not in it.
    ///
    package func staple(_ files: CertificateFiles, serial: Int, state: String? = "V") {
        let number = String(format: "%04X", serial)
        let revocation = state == "R" ? "260101000000Z" : ""
        let line = state.map { "\($0)\t330101000000Z\t\(revocation)\t\(number)\tunknown\t/CN=x\n" } ?? ""
        try? line.write(toFile: path("index"), atomically: true, encoding: .utf8)
        run([
            "ocsp", "-no_nonce", "-issuer", path("ca.pem"), "-cert", files.certificate, "-reqout", path("request"),
        ])
        run([
            "ocsp", "-index", path("index"), "-CA", path("ca.pem"), "-rsigner", path("ca.pem"), "-rkey", path("ca.key"),
            "-reqin", path("request"), "-respout", files.ocspStaple ?? "", "-ndays", "1",
        ])
    }

    @discardableResult
    private func run(_ arguments: [String]) -> String { TestCertificates.openssl(arguments) }
}
