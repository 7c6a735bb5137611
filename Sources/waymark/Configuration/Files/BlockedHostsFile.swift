import WaymarkLinks

/// The file configured as `blockedHostsFile`: hosts that links must not lead to, one per line.
enum BlockedHostsFile {
    /// In bytes; enough for some million hosts.
    static let limit = 256 << 20

    /// Empty if no file is configured.
    ///
    /// - Throws: `CommandFailure` in one line with the file and the line number.
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
