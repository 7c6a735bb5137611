import Foundation
import WaymarkSockets

/// What started this process and watches over it, where that is systemd or speaks like it (sd_notify(3)): it is told when
/// the service is ready, reads its configuration again, stops, and that it is alive. Anywhere else nothing is sent.
struct ServiceManager: Sendable {
    private let socket: NotificationSocket?
    /// How often a sign of life is due: twice as often as the manager asks for it. Nil where it does not.
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

    /// Ends with the next `ready`.
    func reloading() {
        // systemd tells by the time that this is about its latest request.
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
