import Foundation
package import WaymarkTLS

/// An authority with an OCSP responder, made with the `openssl` command, and what it issues. Its folder goes with it.
package final class TestAuthority: Sendable {
    package let folder: String

    package init() {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-ca-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        folder = url.path
        run([
            "req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=authority", "-newkey", "ec", "-pkeyopt",
            "ec_paramgen_curve:prime256v1", "-keyout", path("ca.key"), "-out", path("ca.pem"),
        ])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    package func path(_ name: String) -> String { "\(folder)/\(name)" }

    /// A certificate with its chain; the staple is where `staple` puts it.
    package func issue(_ name: String, names: [String], serial: Int, isChained: Bool = true) -> CertificateFiles {
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
            "-set_serial", "\(serial)", "-days", "30", "-extfile", path("\(name).ext"), "-out", files.certificate,
        ])
        if isChained, let leaf = try? String(contentsOfFile: files.certificate, encoding: .utf8),
            let issuer = try? String(contentsOfFile: path("ca.pem"), encoding: .utf8)
        {
            try? (leaf + issuer).write(toFile: files.certificate, atomically: true, encoding: .utf8)
        }
        return files
    }

    /// What the responder says of a certificate: its state in an index (V valid, R revoked), or nil where it is not in it.
    ///
    /// - Parameter days: for which it holds; 0 has expired.
    package func staple(_ files: CertificateFiles, serial: Int, state: String? = "V", days: Int = 1) {
        let number = String(format: "%04X", serial)
        let revocation = state == "R" ? "260101000000Z" : ""
        let line = state.map { "\($0)\t330101000000Z\t\(revocation)\t\(number)\tunknown\t/CN=x\n" } ?? ""
        try? line.write(toFile: path("index"), atomically: true, encoding: .utf8)
        run([
            "ocsp", "-no_nonce", "-issuer", path("ca.pem"), "-cert", files.certificate, "-reqout", path("request"),
        ])
        run([
            "ocsp", "-index", path("index"), "-CA", path("ca.pem"), "-rsigner", path("ca.pem"), "-rkey", path("ca.key"),
            "-reqin", path("request"), "-respout", files.ocspStaple ?? "", "-ndays", "\(days)",
        ])
    }

    @discardableResult
    private func run(_ arguments: [String]) -> String { TestCertificates.openssl(arguments) }
}
