import Foundation
import WaymarkClient
import WaymarkSockets

/// The socket beside a SQLite database, `FILE.sock`, by which commands reach the server that has the database open. Only the
/// server's user and root may connect, who could open the database themselves.
struct OwnerSocket: Sendable {
    let path: String
    /// The users whose server is believed: a stranger could have put a socket there while no server runs.
    private let users: Set<UInt32>

    /// Nil for a database without a file.
    init?(_ database: DatabaseURL) {
        guard let path = database.ownerSocketPath else { return nil }
        self.path = path
        var users: Set<UInt32> = [0, geteuid()]
        if case .file(let file) = database {
            var status = stat()
            // Safety: stat reads the path as a C string that is lent for the call, and writes the structure.
            if unsafe stat(file, &status) == 0 { users.insert(status.st_uid) }
        }
        self.users = users
    }

    /// The server; nil if none listens.
    ///
    /// - Throws: `CommandFailure` if this user may not connect to it, or if it is a stranger's.
    func server() throws(CommandFailure) -> RemoteAPI? {
        do throws(SystemError) {
            _ = FileDescriptor(owning: try connect())
            return RemoteAPI(self)
        } catch {
            switch error.code {
            case EACCES: throw forbidden
            case EPERM: throw .failed("\(path) is the socket of a user who does not own the database; delete it")
            default: return nil
            }
        }
    }

    private var forbidden: CommandFailure {
        .failed(
            "not allowed to use \(path); run the command as the user of the service, with sudo -u waymark for example")
    }

    var client: HTTPClient { HTTPClient(.socket(path: path) { try connect() }) }

    /// - Throws: EPERM if the process at the other end is not believed, EACCES if it would not believe this one.
    private func connect() throws(SystemError) -> Int32 {
        let socket = FileDescriptor(owning: try LocalConnection.open(path: path))
        guard let user = LocalConnection.user(of: socket.number), users.contains(user) else {
            throw SystemError(code: EPERM, operation: "connect")
        }
        // The server would close the connection.
        guard geteuid() == 0 || user == geteuid() else { throw SystemError(code: EACCES, operation: "connect") }
        return socket.release()
    }
}
