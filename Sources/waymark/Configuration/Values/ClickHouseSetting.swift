import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkService
import WaymarkSockets

/// Where clicks are shipped to: `clickhouse` in the configuration file.
struct ClickHouseSetting: Sendable, Equatable {
    let url: String
    let database: String
    let user: String
    /// Nil: the user has no password.
    let passwordFile: NamedPath?
    /// With the only certificate authorities to trust.
    let authority: NamedPath?
    /// Nil: as long as totals are stored.
    let retentionDays: Int?

    /// In bytes.
    private static let passwordLimit = 4_096

    /// Networks in which the operator's own servers are. Elsewhere the password and the clicks travel encrypted only.
    private static let privateNetworks = [
        "127.0.0.0/8", "::1", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16",
        "fc00::/7",
        "fe80::/10",
    ].compactMap { NetworkPrefix($0) }

    static var type: SettingType<ClickHouseSetting> {
        let members = ["url", "database", "user", "passwordFile", "authority", "retentionDays"]
        let allowed = "an object with url, database, user and optionally passwordFile, authority, retentionDays"
        return SettingType(
            allowed,
            read: { value, source in
                let object = try SettingObject(value, source, members: members, allowed: allowed)
                let url = try object.required("url", .clickHouseURL)
                if let address = HTTPTarget(url).flatMap({ $0.isSecure ? nil : IPAddress($0.plainHost) }),
                    !privateNetworks.contains(where: { $0.contains(address) })
                {
                    throw source.member("url").failure(
                        "clicks and the password would travel unencrypted to an address that is not private; give an https URL"
                    )
                }
                let authority = try object.value("authority", .namedPath)
                guard authority == nil || HTTPTarget(url)?.isSecure == true else {
                    throw source.member("authority").failure(
                        "is of no use with an http URL; give an https URL, or leave it out")
                }
                return ClickHouseSetting(
                    url: url, database: try object.required("database", .clickHouseName),
                    user: try object.required("user", .clickHouseUser),
                    passwordFile: try object.value("passwordFile", .namedPath), authority: authority,
                    retentionDays: try object.value("retentionDays", .integer(1...36_500)))
            },
            write: { setting in
                let members: JSONObject = [
                    "url": JSONValue(setting.url), "database": JSONValue(setting.database),
                    "user": JSONValue(setting.user),
                    "passwordFile": setting.passwordFile.map { JSONValue($0.path) } ?? .null,
                    "authority": setting.authority.map { JSONValue($0.path) } ?? .null,
                    "retentionDays": setting.retentionDays.map { JSONValue($0) } ?? .null,
                ]
                return JSONValue(members)
            })
    }

    /// - Parameter retentionDays: where the setting has none.
    /// - Throws: `CommandFailure` if the password's or the authority's file can't be read.
    func client(retentionDays: Int) throws -> ClickHouseClient {
        if let authority, !FileManager.default.isReadableFile(atPath: authority.path) {
            throw CommandFailure.usage("\(authority.name): \"\(authority.path)\" can't be read")
        }
        return ClickHouseClient(
            ClickHouseClient.Settings(
                url: url, database: database, user: user, password: try password(), authority: authority?.path,
                retentionDays: self.retentionDays ?? retentionDays),
            HTTPClient(.host(AddressRule(allowedNetworks: Self.privateNetworks)), userAgent: Version.userAgent))
    }

    /// Without the line end of an editor.
    private func password() throws -> String? {
        guard let file = passwordFile else { return nil }
        guard let data = FileManager.default.contents(atPath: file.path), data.count <= Self.passwordLimit,
            let text = String(data: data, encoding: .utf8)?.trimmingCharacters(in: .newlines), !text.isEmpty,
            text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else {
            throw CommandFailure.usage(
                "\(file.name): \"\(file.path)\" can't be read, is empty, has control characters, or has more than \(Self.passwordLimit) bytes"
            )
        }
        return text
    }
}

extension Configuration {
    /// Nil if clicks are shipped nowhere.
    ///
    /// - Throws: `CommandFailure` if a file of the setting can't be read.
    func clickHouseClient() throws -> ClickHouseClient? {
        try self.clickhouse?.client(retentionDays: self.clicks.totalsRetentionDays)
    }
}

extension HTTPTarget {
    /// IPv6 without brackets.
    fileprivate var plainHost: String { host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host }
}

extension SettingType<String> {
    fileprivate static var clickHouseURL: SettingType {
        string(
            "an http or https URL without user, query and fragment, such as https://clickhouse.example.com:8443",
            convert: { text, source in
                // Not shown: it may have a password.
                guard !text.contains("@") else {
                    throw source.failure("must not have a user or a password; give user and passwordFile")
                }
                let isPlain = text.utf8.count <= 1_000 && !text.contains("?") && !text.contains("#")
                return isPlain && HTTPTarget(text) != nil ? text : nil
            }, write: \.self)
    }

    fileprivate static var clickHouseName: SettingType {
        string(
            "1 to 64 letters, digits and underscores, not a digit first",
            convert: { text, _ in ClickHouseTables.isName(text) ? text : nil }, write: \.self)
    }

    fileprivate static var clickHouseUser: SettingType {
        string(
            "1 to 200 bytes without control characters",
            convert: { text, _ in
                let isUser = (1...200).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                return isUser ? text : nil
            }, write: \.self)
    }
}
