import Foundation
package import WaymarkTLS

/// Certificates that the `openssl` command makes once for all tests of the process, in a folder of their own.
package struct TestCertificates: Sendable {
    package static let shared = TestCertificates()

    package let folder: String
    /// RSA, for go.example.com and www.example.com.
    package let rsa: CertificateFiles
    /// ECDSA, for go.example.com.
    package let ecdsa: CertificateFiles
    /// ECDSA, for *.example.com.
    package let wildcard: CertificateFiles
    /// ECDSA, without alternative names; the common name is other.example.org.
    package let commonName: CertificateFiles

    private init() {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("waymark-tls-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        self.folder = folder.path
        let ecdsaKey = ["ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"]
        rsa = Self.make(in: folder.path, "rsa", ["rsa:2048"], names: ["go.example.com", "www.example.com"])
        ecdsa = Self.make(in: folder.path, "ecdsa", ecdsaKey, names: ["go.example.com"])
        wildcard = Self.make(in: folder.path, "wildcard", ecdsaKey, names: ["*.example.com"])
        commonName = Self.make(in: folder.path, "other.example.org", ecdsaKey, names: [])
        // A closure for C can't capture, so it asks for the folder again.
        atexit { try? FileManager.default.removeItem(atPath: TestCertificates.shared.folder) }
    }

    /// Both files' paths in the folder.
    package static func make(in folder: String, _ subject: String, _ key: [String], names: [String]) -> CertificateFiles
    {
        let files = CertificateFiles(
            certificate: "\(folder)/\(subject).pem", privateKey: "\(folder)/\(subject).key")
        var arguments = ["req", "-x509", "-nodes", "-days", "30", "-subj", "/CN=\(subject)", "-newkey"] + key
        if !names.isEmpty {
            arguments += ["-addext", "subjectAltName=" + names.map { "DNS:\($0)" }.joined(separator: ",")]
        }
        _ = openssl(arguments + ["-keyout", files.privateKey, "-out", files.certificate])
        return files
    }

    /// Runs the command with nothing on its standard input; returns all that it printed.
    package static func openssl(_ arguments: [String], input: String = "") -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl"] + arguments
        let output = Pipe()
        let given = Pipe()
        process.standardOutput = output
        process.standardError = output
        process.standardInput = given
        guard (try? process.run()) != nil else { return "" }
        given.fileHandleForWriting.write(Data(input.utf8))
        try? given.fileHandleForWriting.close()
        let printed = (try? output.fileHandleForReading.readToEnd()) ?? Data()
        process.waitUntilExit()
        return String(decoding: printed, as: UTF8.self)
    }

    /// A file in the folder.
    package func write(_ text: String, to name: String) throws -> String {
        let path = "\(folder)/\(name)"
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        return path
    }

    package func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    /// The certificate in memory, as an authority would have issued it.
    package static func issued(_ files: CertificateFiles, for host: String) throws -> IssuedCertificate {
        IssuedCertificate(
            host: host, chain: Array(try Data(contentsOf: URL(fileURLWithPath: files.certificate))),
            privateKey: Array(try Data(contentsOf: URL(fileURLWithPath: files.privateKey))))
    }

    /// A store that shows these certificates.
    package static func store(_ files: [CertificateFiles], keys: TicketKeys = TicketKeys()) throws -> CertificateStore {
        CertificateStore(try CertificateTable(files, ticketKeys: keys))
    }
}
