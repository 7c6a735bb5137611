import Foundation

/// Debian's strace, which shows a program's system calls and can answer in the kernel's place.
enum Strace {
    static let program = "/usr/bin/strace"
    static var isInstalled: Bool { FileManager.default.isExecutableFile(atPath: program) }
}
