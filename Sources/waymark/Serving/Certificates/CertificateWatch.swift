import Foundation

/// Detects that a certificate or a key was replaced.
struct CertificateWatch {
    /// Attributes that change when a file is written or replaced.
    private struct Print: Equatable {
        var path: String
        var seconds = 0
        var nanoseconds = 0
        var size = 0
        var number: UInt64 = 0
    }

    /// The polling interval.
    static let interval = Duration.seconds(5)
    private var prints: [Print]

    init(_ certificates: [CertificateSetting]) {
        prints = Self.prints(certificates)
    }

    /// Whether anything has changed since the last call.
    mutating func hasChanged(_ certificates: [CertificateSetting]) -> Bool {
        let fresh = Self.prints(certificates)
        defer { prints = fresh }
        return fresh != prints
    }

    /// Paths of keys that all users of this machine may read.
    static func exposedKeys(_ certificates: [CertificateSetting]) -> [String] {
        certificates.map(\.privateKey.path).filter { path in
            information(path).map { $0.st_mode & S_IROTH != 0 } ?? false
        }
    }

    private static func prints(_ certificates: [CertificateSetting]) -> [Print] {
        let paths = certificates.flatMap { setting in
            [setting.certificate.path, setting.privateKey.path] + (setting.ocspStaple.map { [$0.path] } ?? [])
        }
        return paths.map { path in
            guard let information = information(path) else { return Print(path: path) }
            #if canImport(Darwin)
                let time = information.st_mtimespec
            #else
                let time = information.st_mtim
            #endif
            return Print(
                path: path, seconds: Int(time.tv_sec), nanoseconds: Int(time.tv_nsec), size: Int(information.st_size),
                number: UInt64(information.st_ino))
        }
    }

    private static func information(_ path: String) -> stat? {
        // Safety: the kernel writes one `stat` through the pointer during the call; the path is lent as a C string.
        var information = stat()
        return unsafe stat(path, &information) == 0 ? information : nil
    }
}
