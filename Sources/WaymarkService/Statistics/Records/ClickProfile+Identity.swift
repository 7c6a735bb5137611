import WaymarkBytes
import WaymarkLinks

extension ClickProfile {
    /// Unique to each profile as long as the profile is alive: names are identified by their addresses, which are not
    /// reused meanwhile. Compared and looked up for every click, where reference counting would be too slow.
    struct Identity: Equatable, Sendable {
        private let referrerHost: UInt
        private let campaign: UInt
        private let language: UInt64
        private let kind: UInt64
        private let rest: UInt64

        @inline(__always)
        init(_ profile: borrowing ClickProfile) {
            referrerHost = Self.index(of: profile.referrerHost)
            campaign = Self.index(of: profile.campaign)
            language = profile.language?.rawValue ?? 0
            // Safety: both buffers are read within their closures. Every field of a class is a byte, so there is no
            // padding between them that could be uninitialised or differ; a destination is one byte or more.
            kind = unsafe withUnsafeBytes(of: profile.kind) { bytes in
                assert(bytes.count <= 8, "a class no longer fits a word")
                return unsafe bytes.reduce(0) { $0 << 8 | UInt64($1) }
            }
            rest =
                unsafe UInt64(profile.rule.number) << 32 | UInt64(profile.country?.rawValue ?? 0) << 16
                | withUnsafeBytes(of: profile.destination) { unsafe UInt64($0[0]) << 8 } | UInt64(profile.storing)
        }

        @inline(__always)
        func fold(into hash: inout ByteHash) {
            hash.fold(UInt64(referrerHost), UInt64(campaign))
            hash.fold(kind, language)
            hash.fold(rest, 0)
        }

        // Safety: a name is nil or one reference, which is a word. The word is compared and hashed, never followed.
        @inline(__always)
        private static func index(of name: Click.Name?) -> UInt { unsafe unsafeBitCast(name, to: UInt.self) }
    }
}
