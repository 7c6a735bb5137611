import WaymarkLinks

/// The file that the configuration key `blockedHostsFile` names: hosts that no link may lead to, one on each line.
enum BlockedHostsFile {
    /// Bytes; some million hosts.
    static let limit = 256 << 20

    /// None where the configuration names no file.
    ///
    /// - Throws: `CommandFailure` in one line that names the file and the line.
    static func read(_ path: String?) throws -> HostSet {
        guard let path else { return HostSet() }
        let bytes = try JSONFile.bytes(path)
        guard bytes.count <= limit else {
            throw CommandFailure.usage("\(path): the file is longer than \(limit >> 20) MiB")
        }
        do throws(HostList.BadLine) {
            return try HostList.read(bytes)
        } catch {
            throw CommandFailure.usage(
                "\(path): line \(error.number): \(error.problem); give a host such as bad.example or *.bad.example")
        }
    }
}
