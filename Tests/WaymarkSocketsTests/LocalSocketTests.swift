import Glibc
import Testing
import WaymarkSockets

/// Unix-domain sockets, and those that somebody else has opened.
@Suite struct LocalSocketTests {
    /// A folder that is deleted with this object, and everything in it.
    private final class Folder {
        let path: String

        init() throws {
            var template = Array("/tmp/waymark-sockets-XXXXXX\0".utf8).map { CChar(bitPattern: $0) }
            let made = template.withUnsafeMutableBufferPointer { mkdtemp($0.baseAddress!).map { String(cString: $0) } }
            path = try #require(made)
        }

        deinit {
            for name in ["a.sock", "file"] { unlink("\(path)/\(name)") }
            rmdir(path)
        }

        var socket: String { "\(path)/a.sock" }

        func mode(_ path: String) -> UInt32 {
            var status = stat()
            return stat_(path, &status) == 0 ? status.st_mode & 0o7777 : 0
        }

        private func stat_(_ path: String, _ status: inout stat) -> Int32 { lstat(path, &status) }
    }

    private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    @Test func givesEveryLoopADescriptorOfOneSocketWithTheModeAskedFor() throws {
        let folder = try Folder()
        let socket = try LocalListeningSocket(path: folder.socket, mode: 0o606)
        #expect(folder.mode(folder.socket) == 0o606)
        let shares = try socket.shares(3)
        #expect(Set(shares).count == 3)
        for number in shares { close(number) }
    }

    @Test func replacesAFileBehindWhichNobodyListens() throws {
        let folder = try Folder()
        for number in try LocalListeningSocket(path: folder.socket, mode: 0o660).shares(1) { close(number) }
        #expect(exists(folder.socket))
        for number in try LocalListeningSocket(path: folder.socket, mode: 0o660).shares(1) { close(number) }
    }

    @Test func leavesASocketAloneBehindWhichSomebodyListens() throws {
        let folder = try Folder()
        let shares = try LocalListeningSocket(path: folder.socket, mode: 0o660).shares(1)
        #expect(throws: BindError.addressInUse("unix:\(folder.socket)")) {
            _ = try LocalListeningSocket(path: folder.socket, mode: 0o660)
        }
        #expect(exists(folder.socket))
        for number in shares { close(number) }
    }

    @Test func leavesAFileAloneThatIsNoSocket() throws {
        let folder = try Folder()
        close(open("\(folder.path)/file", O_CREAT | O_WRONLY, 0o600))
        #expect(throws: BindError.notASocket("\(folder.path)/file")) {
            _ = try LocalListeningSocket(path: "\(folder.path)/file", mode: 0o660)
        }
        #expect(exists("\(folder.path)/file"))
    }

    @Test func removesItsOwnFileOnly() throws {
        let folder = try Folder()
        let first = try LocalListeningSocket(path: folder.socket, mode: 0o660)
        let file = first.file
        // Another server has come in the meantime; its number can't be that of the first, which is still open.
        unlink(folder.socket)
        let second = try LocalListeningSocket(path: folder.socket, mode: 0o660)
        file.remove()
        #expect(exists(folder.socket))
        second.file.remove()
        #expect(!exists(folder.socket))
        for number in try first.shares(1) + second.shares(1) { close(number) }
    }

    @Test(arguments: [
        ["LISTEN_PID": "42"], ["LISTEN_PID": "41", "LISTEN_FDS": "1"], ["LISTEN_FDS": "1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "0"], ["LISTEN_PID": "42", "LISTEN_FDS": "-1"],
        ["LISTEN_PID": "42", "LISTEN_FDS": "x"], ["LISTEN_PID": "42", "LISTEN_FDS": "99999999999999999999"],
    ])
    func takesNothingThatIsMeantForSomebodyElse(environment: [String: String]) {
        var sockets = InheritedSockets(environment: environment, process: 42)
        #expect(throws: BindError.notInherited("systemd")) { _ = try sockets.take(named: nil, shares: 1) }
    }

    @Test func takesNoSocketOfAnotherName() {
        let environment = ["LISTEN_PID": "42", "LISTEN_FDS": "1", "LISTEN_FDNAMES": "web"]
        var sockets = InheritedSockets(environment: environment, process: 42)
        #expect(throws: BindError.notInherited("systemd:admin")) { _ = try sockets.take(named: "admin", shares: 1) }
    }

    @Test(arguments: ["", "relative", "unix:/tmp/x", "@", "/" + String(repeating: "x", count: 200)])
    func notifiesNobodyAtWhatIsNoAddress(text: String) {
        #expect(NotificationSocket(text) == nil)
    }

    @Test func notifiesAnAbstractNameToo() throws {
        let name = "waymark-test-\(getpid())-\(UInt64.random(in: 0 ... .max))"
        let descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: [0] + Array(name.utf8)) }
        let length = socklen_t(MemoryLayout<sa_family_t>.size + 1 + name.utf8.count)
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
        }
        try #require(bound == 0)
        #expect(try #require(NotificationSocket("@\(name)")).send("READY=1"))
        var buffer = [UInt8](repeating: 0, count: 64)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self) == "READY=1")
    }
}
