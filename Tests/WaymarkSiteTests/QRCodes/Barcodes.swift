import Foundation
import Testing

/// The barcode reader of the package zbar-tools, a program that shares no code with what is tested here.
enum Barcodes {
    static let reason: Comment = "needs zbarimg (the package zbar-tools)"

    static let program: URL? = (ProcessInfo.processInfo.environment["PATH"] ?? "")
        .split(separator: ":")
        .map { URL(fileURLWithPath: String($0)).appendingPathComponent("zbarimg") }
        .first { FileManager.default.isExecutableFile(atPath: $0.path) }

    /// The bytes of the one QR code in the picture; of several, all of them.
    static func read(_ picture: [UInt8]) throws -> [UInt8] {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID()).png")
        try Data(picture).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let program: URL = try #require(program)
        let process = Process()
        let output = Pipe()
        process.executableURL = program
        process.arguments = ["--quiet", "--nodbus", "--raw", "-Sbinary", "-Sdisable", "-Sqrcode.enable", file.path]
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        try process.run()
        let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return [UInt8](bytes)
    }
}
