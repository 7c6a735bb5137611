import Foundation

/// The memory that this process may use: the machine's, or less if a control group limits it, as containers and services of
/// systemd do (cgroups(7)).
struct MachineMemory {
    /// In bytes.
    let limit: Int

    static let current = MachineMemory(physical: ProcessInfo.processInfo.physicalMemory) { path in
        try? String(contentsOfFile: path, encoding: .utf8)
    }

    /// - Parameter read: the text of a file; nil if it can't be read.
    init(physical: UInt64, read: (_ path: String) -> String?) {
        var limit = physical
        for line in (read("/proc/self/cgroup") ?? "").split(separator: "\n") {
            // A number, controllers, and the path of the group: `0::/system.slice/waymark.service` in version 2.
            let parts = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
            guard parts.count == 3 else { continue }
            let root: String
            let files: [String]
            if parts[1].isEmpty {
                // Above `memory.high`, which is `MemoryHigh=` of systemd, a group is slowed down.
                (root, files) = ("/sys/fs/cgroup", ["memory.max", "memory.high"])
            } else if parts[1].split(separator: ",").contains("memory") {
                (root, files) = ("/sys/fs/cgroup/memory", ["memory.limit_in_bytes"])
            } else {
                continue
            }
            // Each group is limited by those that contain it. In a container its own may be the root.
            var group = parts[2].split(separator: "/")
            while true {
                let folder = ([root] + group.map(String.init)).joined(separator: "/")
                for file in files {
                    if let text = read("\(folder)/\(file)"), let bytes = UInt64(text.prefix { !$0.isWhitespace }) {
                        limit = min(limit, bytes)
                    }
                }
                if group.popLast() == nil { break }
            }
        }
        self.limit = Int(min(limit, UInt64(Int.max)))
    }

    /// An eighth, and at least 64 MiB.
    var cacheBytes: Int { max(64 << 20, limit / 8) }
}
