import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkHTTP

/// The clock of this machine, compared with the responses of others.
enum ClockCheck {
    /// In seconds. Keys, links and certificates have times of validity, and logs are compared.
    static let tolerance: Int64 = 60

    struct Sample: Sendable, Equatable {
        let host: String
        /// How far this machine is ahead, in seconds.
        let ahead: Int64

        init(host: String, ahead: Int64) {
            self.host = host
            self.ahead = ahead
        }

        /// Nil if the response has no valid `Date`. A cache's response is older by its `Age` (RFC 9111 section 5.1).
        init?(host: String, _ response: HTTPResponse, now: Int64) {
            guard let text = response["Date"] else { return nil }
            let bytes = Array(text.utf8)
            guard let date = HTTPDate(bytes.span, ByteRange(0, bytes.count), reference: now) else { return nil }
            let age = response["Age"].flatMap { Int64($0) }.map { min(max($0, 0), 31_536_000) } ?? 0
            self.init(host: host, ahead: now - date.unixSeconds - age)
        }
    }

    /// - Parameter samples: the reference's first, if it answered.
    static func finding(_ samples: [Sample]) -> DoctorFinding {
        guard let sample = samples.first else { return .skipped(.clock, "no host answers") }
        guard abs(sample.ahead) > tolerance else {
            return .ok(.clock, "within \(tolerance) s of \(sample.host)")
        }
        let direction = sample.ahead > 0 ? "ahead of" : "behind"
        return .finding(
            .clock, "this machine is \(abs(sample.ahead)) s \(direction) \(sample.host)",
            fix: "synchronise the clock, with systemd-timesyncd or chrony")
    }
}

/// Space on the file system of the database.
enum DiskCheck {
    /// In bytes: room for the log of a checkpoint, a backup of a small database and some days of clicks.
    static let leastBytes: Int64 = 1 << 30
    static let leastNodes: Int64 = 10_000

    struct Observation: Sendable, Equatable {
        var folder: String
        var freeBytes: Int64
        var bytes: Int64
        var freeNodes: Int64
        /// 0: the file system has no fixed number.
        var nodes: Int64
    }

    /// - Parameter folder: the nearest folder above it is used if it does not exist.
    static func observe(_ folder: String) -> Observation? {
        var path = URL(fileURLWithPath: folder).standardizedFileURL.path
        while path != "/", !FileManager.default.fileExists(atPath: path) {
            path = path.folderOfPath
        }
        guard let attributes = try? FileManager.default.attributesOfFileSystem(forPath: path) else { return nil }
        func number(_ key: FileAttributeKey) -> Int64 { (attributes[key] as? NSNumber)?.int64Value ?? 0 }
        return Observation(
            folder: path, freeBytes: number(.systemFreeSize), bytes: number(.systemSize),
            freeNodes: number(.systemFreeNodes), nodes: number(.systemNodes))
    }

    static func finding(_ observation: Observation?) -> DoctorFinding {
        guard let observation else { return .skipped(.disk, "the database is on no disk of this machine") }
        let place = "the disk of \(observation.folder)"
        guard observation.freeBytes >= leastBytes else {
            return .finding(
                .disk, "\(place) has \(size(observation.freeBytes)) free of \(size(observation.bytes))",
                fix: "make room, or move the database: writes fail when the disk is full")
        }
        guard observation.nodes == 0 || observation.freeNodes >= leastNodes else {
            return .finding(
                .disk, "\(place) has \(observation.freeNodes) inodes free of \(observation.nodes)",
                fix: "delete files: none can be created when inodes run out")
        }
        return .ok(.disk, "\(place) has \(size(observation.freeBytes)) free")
    }

    private static func size(_ bytes: Int64) -> String {
        let gibibyte: Int64 = 1 << 30
        return bytes >= 10 * gibibyte ? "\(bytes / gibibyte) GiB" : "\(bytes >> 20) MiB"
    }
}
