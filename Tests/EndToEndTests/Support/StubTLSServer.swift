import Foundation
import TLSTestSupport
import WaymarkTLS
import WaymarkTestSupport

/// A server that speaks TLS and answers each path with the response in the file of that name, by means of
/// `openssl s_server`. Ends with this object.
final class StubTLSServer: Sendable {
    let port: UInt16
    private let process: Process
    private let folder: TemporaryFolder

    /// - Parameter responses: whole HTTP responses, by path without the first slash.
    init(_ files: CertificateFiles, _ responses: [String: String]) throws {
        let folder = try TemporaryFolder()
        for (path, response) in responses {
            let file = folder.url.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(response.utf8).write(to: file)
        }
        let log = folder.url.appendingPathComponent("log")
        try Data().write(to: log)
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "openssl", "s_server", "-HTTP", "-accept", "0", "-cert", files.certificate, "-key", files.privateKey,
            "-cert_chain", files.certificate,
        ]
        process.currentDirectoryURL = folder.url
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: log)
        process.standardError = process.standardOutput
        try process.run()
        self.folder = folder
        self.process = process
        port = try eventually("openssl says where it listens") { () throws -> UInt16? in
            let text = (try? String(contentsOf: log, encoding: .utf8)) ?? ""
            guard let mark = text.range(of: "ACCEPT "), let end = text[mark.upperBound...].firstIndex(of: "\n"),
                let colon = text[mark.upperBound..<end].lastIndex(of: ":")
            else { return nil }
            return UInt16(text[text.index(after: colon)..<end])
        }
    }

    deinit {
        if process.isRunning { process.terminate() }
    }
}
