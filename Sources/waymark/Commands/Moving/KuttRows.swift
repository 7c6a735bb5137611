import ArgumentParser
import Foundation
import WaymarkSQLite

/// `waymark kutt-rows FILE`, for `RowProcess`: writes the rows of Kutt's database as CSV, within limits on memory and time.
struct KuttRows: ParsableCommand {
    static let configuration = CommandConfiguration(commandName: "kutt-rows", shouldDisplay: false)

    /// Seconds of a processor; a million rows take two.
    private static let seconds = 60
    private static let memory = 256 << 20
    private static let databaseMemory: Int64 = 32 << 20
    private static let piece = 1 << 16

    @Argument var file: String

    func run() throws {
        ProcessLimits.apply(seconds: Self.seconds, memory: Self.memory, descriptors: 32)
        ForeignDatabase.limitMemory(Self.databaseMemory)
        StandardOutput.reportBrokenPipes()
        var buffer: [UInt8] = []
        func flush() throws {
            try FileHandle.standardOutput.write(contentsOf: Data(buffer))
            buffer.removeAll(keepingCapacity: true)
        }
        do {
            try KuttDatabase.write(file) { line in
                buffer += line
                if buffer.count > Self.piece { try flush() }
            }
            try flush()
        } catch let failure as ForeignDatabase.Failure {
            throw ExitCode(RowProcess.status(of: failure))
        }
    }
}
