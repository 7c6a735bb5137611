import Foundation
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkSignIn
import WaymarkSite
import WaymarkSockets
import WaymarkStores

/// Sign-in by a provider of OpenID Connect: `oidc` in the configuration file.
struct OpenIDSetting: Sendable, Equatable {
    /// What a claim is worth.
    struct Roles: Sendable, Equatable {
        let claim: String
        let map: [String: [Membership]]
    }

    /// The maximum size of the file with the secret.
    private static let secretBytes = 4_096

    let issuer: String
    let clientID: String
    /// Nil for a public client.
    let clientSecretFile: NamedPath?
    /// What people call the provider.
    let name: String?
    let roles: Roles?
    let createsPeople: Bool

    static var type: SettingType<OpenIDSetting> {
        let allowed = "an object with issuer, clientID and optionally clientSecretFile, name, roles, createPeople"
        let members = ["issuer", "clientID", "clientSecretFile", "name", "roles", "createPeople"]
        return SettingType(
            allowed,
            read: { value, source in
                let object = try SettingObject(value, source, members: members, allowed: allowed)
                let roles = try object.value("roles", Roles.type)
                let createsPeople = try object.value("createPeople", .boolean) ?? false
                guard !createsPeople || roles != nil else {
                    throw source.member("createPeople").failure(
                        "without roles nobody would get a role; give roles, or leave createPeople out")
                }
                return OpenIDSetting(
                    issuer: try object.required("issuer", .issuer), clientID: try object.required("clientID", .word),
                    clientSecretFile: try object.value("clientSecretFile", .namedPath),
                    name: try object.value("name", .word), roles: roles, createsPeople: createsPeople)
            },
            write: { setting in
                let members: JSONObject = [
                    "issuer": JSONValue(setting.issuer), "clientID": JSONValue(setting.clientID),
                    "clientSecretFile": setting.clientSecretFile.map { JSONValue($0.path) } ?? .null,
                    "name": setting.name.map { JSONValue($0) } ?? .null,
                    "roles": setting.roles.map(Roles.type.write) ?? .null,
                    "createPeople": JSONValue(setting.createsPeople),
                ]
                return JSONValue(members)
            })
    }

    /// Reads the client's secret, without the line end of an editor.
    ///
    /// - Throws: `CommandFailure` if the file can't be read or holds none.
    func provider(
        allowing networks: [NetworkPrefix], now: @escaping @Sendable () -> Int64
    ) throws -> SignInProvider {
        var secret: String?
        if let file = clientSecretFile {
            guard let data = FileManager.default.contents(atPath: file.path), data.count <= Self.secretBytes,
                let text = String(data: data, encoding: .utf8)?.trimmingCharacters(in: .newlines), !text.isEmpty
            else {
                throw CommandFailure.usage(
                    "\(file.name): \"\(file.path)\" can't be read, is empty, or has more than \(Self.secretBytes) bytes"
                )
            }
            secret = text
        }
        guard let settings = OpenIDSettings(issuer: issuer, clientID: clientID, clientSecret: secret) else {
            throw CommandFailure.usage("oidc.issuer: \"\(issuer)\" is not a provider's URL")
        }
        let loopback = ["127.0.0.0/8", "::1"].compactMap { NetworkPrefix($0) }
        let client = settings.client(
            plain: AddressRule(allowedNetworks: networks + loopback), userAgent: Version.userAgent)
        return SignInProvider(
            OpenIDProvider(settings, client, now: now),
            roles: roles.map { ProviderRoles(claim: $0.claim, map: $0.map) }, createsPeople: createsPeople)
    }
}

extension OpenIDSetting.Roles {
    fileprivate static var type: SettingType<OpenIDSetting.Roles> {
        SettingType(
            "an object with claim and map",
            read: { value, source in
                let object = try SettingObject(value, source, members: ["claim", "map"])
                let source = source.member("map")
                guard let map = object["map"]?.object else {
                    throw source.refusal(object["map"] ?? .null, allowed: "an object of roles by values of the claim")
                }
                var roles: [String: [Membership]] = [:]
                for member in map.members {
                    roles[member.name] = try (member.value.array ?? [member.value]).map {
                        try membership($0, source.member(member.name))
                    }
                }
                return OpenIDSetting.Roles(claim: try object.required("claim", .word), map: roles)
            },
            write: { roles in
                let map = roles.map.reduce(into: JSONObject()) { object, entry in
                    object[entry.key] = JSONValue(
                        entry.value.map { membership -> JSONValue in
                            let role = JSONValue(membership.role.rawValue)
                            guard let application = membership.application else { return role }
                            return JSONValue(["role": role, "app": JSONValue(application.text)] as JSONObject)
                        })
                }
                return JSONValue(["claim": JSONValue(roles.claim), "map": JSONValue(map)] as JSONObject)
            })
    }

    private static func membership(_ value: JSONValue, _ source: SettingSource) throws -> Membership {
        let role = SettingType<PersonRole>.choice()
        guard value.object != nil else { return Membership(application: nil, role: try role.read(value, source)) }
        let object = try SettingObject(value, source, members: ["role", "app"])
        let application = SettingType<ApplicationID>.string(
            ApplicationID.rule, convert: { text, _ in ApplicationID(text) }, write: \.text)
        return Membership(
            application: try object.value("app", application), role: try object.required("role", role))
    }
}

extension SettingType<String> {
    fileprivate static var issuer: SettingType {
        string(
            "the provider's URL, exactly as its tokens have it",
            convert: { text, _ in OpenIDSettings.isIssuer(text) ? text : nil }, write: \.self)
    }

    fileprivate static var word: SettingType {
        string(
            "1 to 1000 bytes without control characters",
            convert: { text, _ in
                let isWord = (1...1_000).contains(text.utf8.count) && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
                return isWord ? text : nil
            },
            write: \.self)
    }
}
