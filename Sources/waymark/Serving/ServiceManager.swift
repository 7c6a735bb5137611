import Foundation
import WaymarkSockets

/// The service manager of this process, if it is systemd or compatible (sd_notify(3)): it is notified when the
/// service is ready, reloads its configuration, stops, and periodically that it is alive. Otherwise nothing is sent.
struct ServiceManager: Sendable {
    private let socket: NotificationSocket?
    /// The interval of watchdog notifications: half of the manager's timeout. Nil if it has none.
    let signOfLifeInterval: Duration?

    init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        socket = environment["NOTIFY_SOCKET"].flatMap { NotificationSocket($0) }
        let isForUs = environment["WATCHDOG_PID"].map { $0 == "\(getpid())" } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        signOfLifeInterval =
            socket != nil && isForUs && microseconds > 0 ? .microseconds(max(1_000, microseconds / 2)) : nil
    }

    func ready(_ status: String) {
        send(["READY=1", "STATUS=\(status.oneLine)"])
    }

    /// Reports a reload, which ends with the next `ready`.
    func reloading() {
        // systemd uses the time to match this with its latest request.
        var time = timespec()
        // Safety: the call writes one `timespec` through the pointer.
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        let microseconds = Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1_000
        send(["RELOADING=1", "MONOTONIC_USEC=\(microseconds)", "STATUS=Reading the configuration again"])
    }

    func stopping() {
        send(["STOPPING=1", "STATUS=Finishing what was begun"])
    }

    func signOfLife() {
        send(["WATCHDOG=1"])
    }

    private func send(_ lines: [String]) {
        socket?.send(lines.joined(separator: "\n"))
    }
}
