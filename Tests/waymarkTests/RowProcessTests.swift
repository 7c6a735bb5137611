import Foundation
import Synchronization
import Testing
import WaymarkImports

@testable import waymark

@Suite struct RowProcessTests {
    private func process(_ script: String, isStopped: @escaping @Sendable () -> Bool = { false }) throws -> RowProcess {
        try RowProcess(["-c", script], of: "/bin/sh", isStopped: isStopped)
    }

    private func all(_ process: RowProcess) async throws -> String {
        var bytes: [UInt8] = []
        while true {
            let piece = try await process.read()
            guard !piece.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
            bytes += piece
        }
    }

    @Test func `the output of the process is read`() async throws {
        #expect(try await all(process("echo a; sleep 0; echo b")) == "a\nb\n")
    }

    @Test(
        arguments: [
            ("exit 3", "can't be read"), ("exit 4", "no tables"), ("exit 5", "more than"), ("exit 9", "status 9"),
            ("kill -9 $$", "more time or memory"),
        ])
    func theReasonOfItsEndIsNamed(script: String, reason: String) async throws {
        let process = try process("echo a; \(script)")
        let error = await #expect(throws: SourceError.self) { try await all(process) }
        #expect(error?.description.contains(reason) == true)
    }

    @Test func aStopEndsTheProcess() async throws {
        let stopped = Atomic<Bool>(false)
        let process = try process("echo $$; exec sleep 1000") { stopped.load(ordering: .relaxed) }
        let identifier = try #require(Int32(String(decoding: try await process.read(), as: UTF8.self).dropLast()))
        stopped.store(true, ordering: .relaxed)
        await #expect(throws: CancellationError.self) { try await process.read() }
        #expect(kill(identifier, 0) == -1)
    }

    @Test func descriptorsAndKeysAreNotInherited() async throws {
        let pipe = Pipe()
        let open = try await all(process("ls /proc/self/fd | wc -l; env | cut -d= -f1 | sort | tr '\\n' ' '"))
        withExtendedLifetime(pipe) {}
        let lines = open.split(separator: "\n")
        // Its own three, and the folder that it lists.
        #expect(lines.first == "4")
        let names = Set(try #require(lines.last).split(separator: " ").map(String.init))
        #expect(
            names.subtracting(["LD_LIBRARY_PATH", "PATH", "PWD", "SWIFT_BACKTRACE", "_", "SHLVL", "OLDPWD"]).isEmpty)
    }
}
