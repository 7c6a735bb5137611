import WaymarkClient
import WaymarkJSON
import WaymarkService

/// The verification of links: `verification` in the configuration file.
struct VerificationSetting: Sendable, Equatable {
    /// In seconds.
    let every: Int
    let perHost: HostRate
    /// In seconds.
    let secondLook: Int
    /// An address or a URL for those whose hosts are asked.
    let contact: String?

    /// Requests to a host, such as `1/s`.
    struct HostRate: Sendable, Equatable {
        let count: Int
        /// `s`, `m` or `h`.
        let unit: Character

        var milliseconds: Int64 { (Duration.seconds(unit) * 1_000) / Int64(count) }
        var text: String { "\(count)/\(unit)" }
    }

    private enum Duration {
        static func seconds(_ unit: Character) -> Int64 {
            switch unit {
            case "m": 60
            case "h": 3_600
            case "d": 86_400
            default: 1
            }
        }
    }

    static var type: SettingType<VerificationSetting> {
        let allowed = "an object with every and optionally perHost, secondLook, contact"
        return SettingType(
            allowed,
            read: { value, source in
                let members = ["every", "perHost", "secondLook", "contact"]
                let object = try SettingObject(value, source, members: members, allowed: allowed)
                return VerificationSetting(
                    every: try object.required("every", duration(60...2_678_400, "24h")),
                    perHost: try object.value("perHost", rate) ?? HostRate(count: 1, unit: "s"),
                    secondLook: try object.value("secondLook", duration(1...86_400, "1h")) ?? 3_600,
                    contact: try object.value("contact", contactText))
            },
            write: { setting in
                let members: JSONObject = [
                    "every": JSONValue("\(setting.every)s"), "perHost": JSONValue(setting.perHost.text),
                    "secondLook": JSONValue("\(setting.secondLook)s"),
                    "contact": setting.contact.map { JSONValue($0) } ?? .null,
                ]
                return JSONValue(members)
            })
    }

    private static func duration(_ range: ClosedRange<Int64>, _ example: String) -> SettingType<Int> {
        .string(
            "a number of seconds, minutes, hours or days such as \"\(example)\", from \(range.lowerBound) to \(range.upperBound) seconds",
            convert: { text, _ in
                guard let unit = text.last, "smhd".contains(unit), let number = digits(text.dropLast()) else {
                    return nil
                }
                let seconds = Int64(number) * Duration.seconds(unit)
                return range.contains(seconds) ? Int(seconds) : nil
            }, write: { "\($0)s" })
    }

    private static var rate: SettingType<HostRate> {
        .string(
            "1 to 100 requests a second, minute or hour, such as \"1/s\" or \"30/m\"",
            convert: { text, _ in
                let parts = text.split(separator: "/", omittingEmptySubsequences: false)
                guard parts.count == 2, let count = digits(parts[0]), (1...100).contains(count), parts[1].count == 1,
                    let unit = parts[1].first, "smh".contains(unit)
                else { return nil }
                return HostRate(count: count, unit: unit)
            }, write: \.text)
    }

    private static var contactText: SettingType<String> {
        .string(
            "a mail address or a URL of 1 to 200 printable ASCII characters without spaces and parentheses",
            convert: { text, _ in
                let isContact =
                    (1...200).contains(text.utf8.count)
                    && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x28 && $0 != 0x29 }
                return isContact ? text : nil
            }, write: \.self)
    }

    private static func digits(_ text: Substring) -> Int? {
        text.utf8.count <= 7 && text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
    }
}

extension Configuration {
    /// Of all walks, also of those on request where `verification` is off.
    var verificationSettings: VerificationSettings {
        let name = "Waymark-Verifier/\(Version.text)" + (self.verification?.contact.map { " (+\($0))" } ?? "")
        let rule = AddressRule(allowedNetworks: self.webhooks.allowedNetworks, allowsUnencrypted: true)
        var settings = VerificationSettings(client: HTTPClient(.host(rule), userAgent: name))
        guard let setting = self.verification else {
            settings.hasRounds = false
            return settings
        }
        settings.interval = Int64(setting.every) * 1_000
        settings.secondLook = Int64(setting.secondLook) * 1_000
        settings.hostInterval = setting.perHost.milliseconds
        return settings
    }
}
