#if os(Linux)
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

        private let folder: TemporaryFolder
        private let listener: SocketListener
        private let losses: Losses

        package init(to server: PostgresServer) throws {
            let (folder, losses) = (try TemporaryFolder(), Losses())
            let target = server.folder + "/" + Self.name
            listener = try SocketListener(path: folder.path(Self.name)) { client in
                guard let server = try? StreamSocket(path: target) else { return }
                Self.forward(client, server, losses)
            }
            (self.folder, self.losses) = (folder, losses)
        }

        package func url(of database: String) -> String { "postgres://waymark@/\(database)?host=\(folder.path)" }

        /// Answers that were lost so far.
        package var lost: Int { losses.count.load(ordering: .acquiring) }

        package func loseNextAnswer() { losses.isArmed.store(true, ordering: .releasing) }

        private static func forward(_ client: StreamSocket, _ server: StreamSocket, _ losses: Losses) {
            /// The last bytes from the server: a response may come in two pieces.
            var last: [UInt8] = []
            let sockets = [client, server]
            var polled = sockets.map { pollfd(fd: $0.descriptor, events: Int16(POLLIN), revents: 0) }
            while poll(&polled, 2, -1) >= 0 || errno == EINTR {
                for index in 0..<2 where polled[index].revents != 0 {
                    guard let bytes = try? sockets[index].receive(), !bytes.isEmpty else { return }
                    if index == 1 {
                        let text = last + bytes
                        let isAnswer = text.firstRange(of: answer) != nil
                        if isAnswer, losses.isArmed.exchange(false, ordering: .acquiringAndReleasing) {
                            losses.count.add(1, ordering: .releasing)
                            return
                        }
                        last = isAnswer ? [] : text.suffix(answer.count - 1)
                    }
                    guard (try? sockets[1 - index].send(bytes)) != nil else { return }
                }
            }
        }
    }
#endif
