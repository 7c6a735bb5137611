import Foundation
import WaymarkBytes

/// Names of the IANA Time Zone Database (RFC 6557).
///
/// Foundation also takes abbreviations such as `PST` and `IST`, which name several zones, and offsets such as `GMT+3`. Names with an
/// area are left to it, so that zones added to the database are known after an update of the system.
enum TimeZoneName {
    private static let areas: Set<Substring> = [
        "Africa", "America", "Antarctica", "Arctic", "Asia", "Atlantic", "Australia", "Brazil", "Canada", "Chile",
        "Etc", "Europe",
        "Indian", "Mexico", "Pacific", "US",
    ]

    /// All names without an area, from tzdata's `tzdata.zi`; the database adds no further ones.
    private static let plain: Set<String> = [
        "CET", "CST6CDT", "Cuba", "EET", "EST", "EST5EDT", "Egypt", "Eire", "Factory", "GB", "GB-Eire", "GMT", "GMT+0",
        "GMT-0",
        "GMT0", "Greenwich", "HST", "Hongkong", "Iceland", "Iran", "Israel", "Jamaica", "Japan", "Kwajalein", "Libya",
        "MET", "MST",
        "MST7MDT", "NZ", "NZ-CHAT", "Navajo", "PRC", "PST8PDT", "Poland", "Portugal", "ROC", "ROK", "Singapore",
        "Turkey", "UCT",
        "UTC", "Universal", "W-SU", "WET", "Zulu",
    ]

    /// The zone; nil for other names, and for `Etc/Unknown`, which browsers report if the system has no zone.
    static func zone(_ name: String) -> TimeZone? {
        let isName = name.utf8.count <= 64 && name.utf8.allSatisfy { $0.isAlphanumeric || "/_+-".utf8.contains($0) }
        guard isName, name != "Etc/Unknown" else { return nil }
        let isListed = plain.contains(name)
        guard isListed || name.contains("/") && areas.contains(name.prefix { $0 != "/" }) else { return nil }
        return TimeZone(identifier: name)
    }
}
