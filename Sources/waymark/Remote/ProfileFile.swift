import Foundation
import WaymarkJSON

/// A server and a key for it, under a name.
struct ServerProfile: Sendable, Equatable {
    /// The name of the one that commands use if none is named.
    static let usual = "default"

    /// As `ServerURL.base` gives it.
    let url: String
    let key: String

    /// Names are typed, and printed beside each other.
    static func isName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count)
            && text.unicodeScalars.allSatisfy {
                $0.isASCII
                    && ($0.properties.isAlphabetic || $0.properties.numericType != nil || "-_.".contains(Character($0)))
            }
    }
}

/// The file of the profiles, with their keys: only its owner may read it.
///
/// Safety: system calls read each path as a C string that Swift lends for the call, and write into structures and arrays of the
/// caller.
struct ProfileFile {
    static let byteLimit = 256 << 10
    static let countLimit = 100

    let folder: String
    var path: String { folder + "/profiles.json" }

    /// Below `XDG_CONFIG_HOME`, else below `.config` in the home folder. Nil if neither is known.
    init?(_ environment: [String: String]) {
        func folder(_ name: String) -> String? {
            // The specification ignores relative paths.
            environment[name].flatMap { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
        }
        guard let parent = folder("XDG_CONFIG_HOME") ?? folder("HOME").map({ $0 + "/.config" }) else { return nil }
        self.folder = parent + "/waymark"
    }

    /// By name; empty if there is no file.
    ///
    /// - Throws: `CommandFailure` if others could have read or written it, or if it is damaged.
    func read() throws -> [String: ServerProfile] {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else {
            // A service may run with the home folder of a user whose files it can't see.
            guard [ENOENT, ENOTDIR, EACCES].contains(errno) else {
                throw CommandFailure.usage("\(path) can't be read")
            }
            return [:]
        }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure.usage("\(path) is no file")
        }
        guard status.st_uid == geteuid() || geteuid() == 0 else {
            throw CommandFailure.usage(
                "\(path) belongs to another user, and is not used; log in with a file of your own")
        }
        guard status.st_mode & 0o077 == 0 else {
            throw CommandFailure.usage(
                "\(path) has keys, and other users may use it (mode \(String(status.st_mode & 0o777, radix: 8))); "
                    + "run chmod 600 \(path)")
        }
        guard let data = try? handle.read(upToCount: Self.byteLimit + 1) ?? Data(), data.count <= Self.byteLimit,
            let profiles = Self.profiles(Array(data))
        else { throw CommandFailure.usage("\(path) is damaged; delete it and log in again") }
        return profiles
    }

    /// Replaces the file.
    ///
    /// - Parameter profiles: none: the file is deleted.
    func write(_ profiles: [String: ServerProfile]) throws {
        guard !profiles.isEmpty else {
            guard unsafe Foundation.unlink(path) == 0 || errno == ENOENT else { throw unwritable }
            return
        }
        guard profiles.count <= Self.countLimit else {
            throw CommandFailure.usage("there are \(Self.countLimit) profiles already; remove some with waymark logout")
        }
        let mode: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: mode)
        } catch {
            throw unwritable
        }
        // A new file, which gets its name when it is complete: keys never pass through a file with another mode.
        let partial = "\(path).\(getpid())"
        unlink(partial)
        let descriptor = unsafe open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw unwritable }
        let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try handle.write(contentsOf: Data(Self.text(profiles).utf8))
            try handle.synchronize()
        } catch {
            unlink(partial)
            throw unwritable
        }
        guard unsafe rename(partial, path) == 0 else {
            unlink(partial)
            throw unwritable
        }
    }

    private func unlink(_ path: String) { unsafe Foundation.unlink(path) }

    private var unwritable: CommandFailure {
        .failed("\(path) can't be written; is there room, and is the folder yours?")
    }

    private static func text(_ profiles: [String: ServerProfile]) -> String {
        var members = JSONObject()
        for (name, profile) in profiles.sorted(by: { $0.key < $1.key }) {
            members[name] = JSONValue(
                ["url": JSONValue(profile.url), "key": JSONValue(profile.key)] as JSONObject)
        }
        return JSONValue(["profiles": JSONValue(members)] as JSONObject).text(style: .pretty) + "\n"
    }

    private static func profiles(_ bytes: [UInt8]) -> [String: ServerProfile]? {
        guard let members = (try? JSONValue(parsing: bytes))?["profiles"]?.object?.members else { return nil }
        var profiles: [String: ServerProfile] = [:]
        for member in members {
            guard let url = member.value["url"]?.string, let key = member.value["key"]?.string,
                ServerProfile.isName(member.name)
            else { return nil }
            profiles[member.name] = ServerProfile(url: url, key: key)
        }
        return profiles
    }
}
