import WaymarkBytes

/// Reads User-Agents: one pass finds every token that tells something, and what they tell together makes the class.
package enum UserAgent {
    /// - Parameters:
    ///   - userAgent: the header's value; empty if missing, which counts as a person with an unknown system.
    ///   - platformHint: `Sec-CH-UA-Platform`, including quotes; empty if missing.
    ///   - mobileHint: `Sec-CH-UA-Mobile`, `?1` or `?0`; empty if missing.
    package static func classify(
        _ userAgent: Span<UInt8>, platformHint: Span<UInt8> = Span<UInt8>(), mobileHint: Span<UInt8> = Span<UInt8>()
    ) -> VisitorClass {
        let reading = UserAgentReading(
            told: TokenMatcher.userAgents.meanings(of: userAgent),
            isBlank: userAgent.indices.allSatisfy { userAgent[$0] == 0x20 || userAgent[$0] == 0x09 })
        return reading.conclusion(hint: PlatformHint(platformHint), mobile: mobile(mobileHint))
    }

    /// The value of `Sec-CH-UA-Mobile`.
    private static func mobile(_ hint: Span<UInt8>) -> Bool? {
        hint.count == 2 && hint[0] == UInt8(ascii: "?") ? hint[1] == UInt8(ascii: "1") : nil
    }

    /// Variant for strings, such as an explanation's headers.
    package static func classify(_ userAgent: String, platformHint: String = "", mobileHint: String = "")
        -> VisitorClass
    {
        let bytes = Array(userAgent.utf8)
        let hint = Array(platformHint.utf8)
        let mobile = Array(mobileHint.utf8)
        return classify(bytes.span, platformHint: hint.span, mobileHint: mobile.span)
    }
}

/// The platforms in `Sec-CH-UA-Platform`. "iOS" does not identify the device, and "Unknown" nothing at all.
enum PlatformHint: CaseIterable {
    case android, windows, macOS, linux, chromeOS

    private static let names: [(name: StaticString, hint: PlatformHint)] = [
        ("\"Android\"", .android), ("\"Windows\"", .windows), ("\"macOS\"", .macOS), ("\"Linux\"", .linux),
        ("\"Chrome OS\"", .chromeOS), ("\"Chromium OS\"", .chromeOS), ("\"Chrome\"", .chromeOS),
    ]

    /// Quoted, case-insensitive; nil for other values.
    init?(_ text: Span<UInt8>) {
        guard text.count >= 3 else { return nil }
        for (name, hint) in Self.names where text.count == name.utf8CodeUnitCount {
            // Safety: the name has as many bytes as the text, as has just been checked, and lives as long as the program.
            let isEqual = name.withUTF8Buffer { known in
                text.indices.allSatisfy { unsafe text[$0].lowercased == known[$0].lowercased }
            }
            if isEqual {
                self = hint
                return
            }
        }
        return nil
    }
}
