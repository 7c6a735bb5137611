import Foundation
import WaymarkMetrics

/// The operating system's metrics of the process, with the names used by Prometheus' own clients. Linux only;
/// elsewhere, and for values that can't be read, they are missing.
struct ProcessMetrics {
    private var cpuNanoseconds: Int?
    private var startSeconds: Int?
    private var residentBytes: Int?
    private var virtualBytes: Int?
    private var openDescriptors: Int?
    private var maximumDescriptors: Int?
    private var threads: Int?

    static let families: [MetricFamily<ProcessMetrics>] = [
        MetricFamily("process_cpu_seconds_total", .counter, "Processor time used, in user and system mode.") {
            $0.cpuNanoseconds.map { [MetricSample(.duration($0))] } ?? []
        },
        .optional("process_start_time_seconds", "When the process started, in seconds since 1970.") {
            $0.startSeconds
        },
        .optional("process_resident_memory_bytes", "Resident memory.") { $0.residentBytes },
        .optional("process_virtual_memory_bytes", "Virtual memory.") { $0.virtualBytes },
        .optional("process_open_fds", "Open file descriptors.") { $0.openDescriptors },
        .optional("process_max_fds", "File descriptors that may be open.") { $0.maximumDescriptors },
        .optional("process_threads", "Threads.") { $0.threads },
    ]

    init() {
        #if os(Linux)
            readStatus()
            // Safety: the call writes one `rlimit` through the pointer.
            var limit = rlimit()
            if unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
                maximumDescriptors = Int(clamping: limit.rlim_cur)
            }
            openDescriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.count
        #endif
    }

    #if os(Linux)
        /// proc(5): the fields after the name in parentheses, which may itself have spaces.
        private mutating func readStatus() {
            guard let text = try? String(contentsOfFile: "/proc/self/stat", encoding: .utf8),
                let name = text.lastIndex(of: ")")
            else { return }
            let fields = text[text.index(after: name)...].split(separator: " ").map { Int($0) }
            guard fields.count > 21 else { return }
            let ticks = max(1, sysconf(Int32(_SC_CLK_TCK)))
            if let user = fields[11], let system = fields[12] {
                cpuNanoseconds = (user + system) * (1_000_000_000 / ticks)
            }
            threads = fields[17]
            if let start = fields[19] {
                let uptime = ProcessInfo.processInfo.systemUptime
                startSeconds = Int(Date().timeIntervalSince1970 - uptime) + start / ticks
            }
            virtualBytes = fields[20]
            residentBytes = fields[21].map { $0 * sysconf(Int32(_SC_PAGESIZE)) }
        }
    #endif
}

extension MetricFamily {
    /// A gauge that is left out if it has no value.
    fileprivate static func optional(
        _ name: String, _ help: String, _ read: @escaping @Sendable (Source) -> Int?
    ) -> MetricFamily {
        MetricFamily(name, .gauge, help) { read($0).map { [MetricSample($0)] } ?? [] }
    }
}
