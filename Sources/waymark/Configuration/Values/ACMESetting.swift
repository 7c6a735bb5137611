import Foundation
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks

/// Certificates from an authority (RFC 8555): `acme` in the configuration file.
struct ACMESetting: Sendable, Equatable {
    /// An authority, and the account of its customer where it needs one.
    struct Authority: Sendable, Equatable {
        static let letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory"

        let directory: String
        let externalAccount: ExternalAccount?
        /// A PEM file with a private authority's certificate. It replaces the system's certificate store.
        let authority: NamedPath?
    }

    /// RFC 8555 section 7.3.4.
    struct ExternalAccount: Sendable, Equatable {
        let keyID: String
        let macKey: [UInt8]
    }

    /// Where the authority writes about problems.
    let email: String
    /// In the order in which they are used: the others only while the ones before fail.
    let authorities: [Authority]
    /// Additional hosts, which no application needs to have.
    let hosts: [HostName]
}

extension SettingType<ACMESetting> {
    /// `{"email": "ops@example.com", "agreeToTerms": true}`
    static var acme: SettingType {
        let allowed =
            "an object with email, agreeToTerms and optionally directory, externalAccount, authority, hosts, fallbacks"
        return SettingType(
            allowed,
            read: { value, source in
                let object = try SettingObject(
                    value, source,
                    members: [
                        "email", "agreeToTerms", "hosts", "fallbacks", "directory", "externalAccount", "authority",
                    ], allowed: allowed)
                guard try object.required("agreeToTerms", .boolean) else {
                    throw source.member("agreeToTerms").failure(
                        "the authority issues certificates only to those who agree to its terms; give true")
                }
                return ACMESetting(
                    email: try object.required("email", .email),
                    authorities: [try ACMESetting.Authority(object)]
                        + (try object.value("fallbacks", .array(of: .authority, "an array of objects with directory"))
                            ?? []),
                    hosts: try object.value("hosts", .array(of: .hostName, "an array of host names")) ?? [])
            },
            write: { setting in
                var members = setting.authorities[0].members
                members["email"] = JSONValue(setting.email)
                members["agreeToTerms"] = true
                members["hosts"] = JSONValue(setting.hosts.map { JSONValue($0.text) })
                members["fallbacks"] = JSONValue(setting.authorities.dropFirst().map { JSONValue($0.members) })
                return JSONValue(members)
            })
    }
}

extension SettingType<ACMESetting.Authority> {
    fileprivate static var authority: SettingType {
        SettingType(
            "an object with directory",
            read: { value, source in
                let object = try SettingObject(
                    value, source, members: ["directory", "externalAccount", "authority"])
                _ = try object.required("directory", .secureURL)
                return try ACMESetting.Authority(object)
            }, write: { JSONValue($0.members) })
    }
}

extension ACMESetting.Authority {
    fileprivate init(_ object: SettingObject) throws {
        self.init(
            directory: try object.value("directory", .secureURL) ?? Self.letsEncrypt,
            externalAccount: try object.value("externalAccount", .externalAccount),
            authority: try object.value("authority", .namedPath))
    }

    /// Without the key of the account.
    fileprivate var members: JSONObject {
        var members: JSONObject = ["directory": JSONValue(directory)]
        members["externalAccount"] = externalAccount.map { ["keyID": JSONValue($0.keyID)] }
        members["authority"] = authority.map { JSONValue($0.path) }
        return members
    }
}

extension SettingType<ACMESetting.ExternalAccount> {
    fileprivate static var externalAccount: SettingType {
        SettingType(
            "an object with keyID and macKey",
            read: { value, source in
                let object = try SettingObject(value, source, members: ["keyID", "macKey"])
                let key = try object.required(
                    "macKey", SettingType<String>.string("text", convert: { text, _ in text }, write: \.self))
                guard let bytes = Base64.bytes(lenient: key), bytes.count >= 16 else {
                    // The key itself is not shown.
                    throw source.member("macKey").failure(
                        "not base64url of 16 or more bytes; give the key as the authority shows it")
                }
                return ACMESetting.ExternalAccount(
                    keyID: try object.required("keyID", .visibleText), macKey: bytes)
            }, write: { ["keyID": JSONValue($0.keyID)] })
    }
}

extension SettingType<String> {
    fileprivate static var visibleText: SettingType {
        string(
            "1 to 255 visible ASCII characters",
            convert: { text, _ in
                (1...255).contains(text.utf8.count) && text.utf8.allSatisfy { (0x21...0x7E).contains($0) } ? text : nil
            }, write: \.self)
    }

    fileprivate static var email: SettingType {
        string(
            "an e-mail address",
            convert: { text, _ in
                let parts = text.split(separator: "@", omittingEmptySubsequences: false)
                let isGood =
                    text.utf8.count <= 254 && parts.count == 2 && parts.allSatisfy { !$0.isEmpty }
                    && text.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x2C && $0 != 0x3F }
                return isGood ? text : nil
            }, write: \.self)
    }

    fileprivate static var secureURL: SettingType {
        string(
            "an https URL", placeholder: "url",
            convert: { text, _ in
                guard let url = URLComponents(string: text), url.scheme == "https", url.host?.isEmpty == false,
                    url.user == nil, url.fragment == nil
                else { return nil }
                return text
            }, write: \.self)
    }
}

extension SettingType<HostName> {
    fileprivate static var hostName: SettingType {
        string(
            "a host name", convert: { text, _ in HostName(text).flatMap { $0.text == text.lowercased() ? $0 : nil } },
            write: \.text)
    }
}
