import Foundation
import Glibc
import Synchronization

/// Stands between a store and its server, and can lose the answer to a COMMIT: the server has committed, and the
/// connection ends before the store hears of it.
package final class CommitLosingProxy: Sendable {
    /// What the threads of the connections share.
    private final class Losses: Sendable {
        let isArmed = Atomic(false)
        let count = Atomic(0)
    }

    private static let name = ".s.PGSQL.5432"
    /// `CommandComplete` of a COMMIT ends so; statements and texts of the store are not sent back.
    private static let answer = Array("COMMIT\0".utf8)

    private let folder: String
    private let listener: Int32
    private let losses = Losses()

    package init(to server: PostgresServer) throws {
        folder = "/tmp/waymark-proxy-" + String(UInt64.random(in: .min ... .max), radix: 36)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let isBound = Self.withAddress(folder + "/" + Self.name) { bind(listener, $0, $1) == 0 }
        guard isBound, listen(listener, 64) == 0 else { throw POSIXError(.EADDRINUSE) }
        let target = server.folder + "/" + Self.name
        Thread.detachNewThread { [listener, losses] in
            while true {
                let client = accept(listener, nil, nil)
                guard client >= 0 else { return }
                Thread.detachNewThread { Self.forward(client, target, losses) }
            }
        }
    }

    package func url(of database: String) -> String { "postgres://waymark@/\(database)?host=\(folder)" }

    /// Answers that were lost so far.
    package var lost: Int { losses.count.load(ordering: .acquiring) }

    package func loseNextAnswer() { losses.isArmed.store(true, ordering: .releasing) }

    deinit {
        // Ends the thread that accepts.
        shutdown(listener, Int32(SHUT_RDWR))
        close(listener)
        try? FileManager.default.removeItem(atPath: folder)
    }

    private static func forward(_ client: Int32, _ target: String, _ losses: Losses) {
        let server = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer {
            close(client)
            close(server)
        }
        guard withAddress(target, { connect(server, $0, $1) == 0 }) else { return }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        /// The last bytes from the server: an answer may come in two pieces.
        var last: [UInt8] = []
        var polled = [client, server].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while poll(&polled, 2, -1) >= 0 || errno == EINTR {
            for index in 0..<2 where polled[index].revents != 0 {
                let count = recv(polled[index].fd, &buffer, buffer.count, 0)
                guard count > 0 else { return }
                if index == 1 {
                    let text = last + buffer[..<count]
                    let isAnswer = text.firstRange(of: answer) != nil
                    if isAnswer, losses.isArmed.exchange(false, ordering: .acquiringAndReleasing) {
                        losses.count.add(1, ordering: .releasing)
                        return
                    }
                    last = isAnswer ? [] : text.suffix(answer.count - 1)
                }
                var sent = 0
                while sent < count {
                    let step = send(
                        polled[1 - index].fd, Array(buffer[sent..<count]), count - sent, Int32(MSG_NOSIGNAL))
                    guard step > 0 else { return }
                    sent += step
                }
            }
        }
    }

    private static func withAddress<Value>(
        _ path: String, _ body: (UnsafePointer<sockaddr>, socklen_t) -> Value
    ) -> Value {
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8) }
        return withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                body($0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
    }
}
