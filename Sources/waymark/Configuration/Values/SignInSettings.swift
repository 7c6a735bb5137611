import WaymarkHTTP
import WaymarkJSON
import WaymarkSockets

/// The dashboard: `dashboard` in the configuration file.
struct DashboardSetting: Sendable, Equatable {
    /// Networks in which nobody else can read what a browser sends.
    var plainNetworks: [NetworkPrefix] = []
    /// Whether API keys sign in. Nil: until a person administers all applications and has signed in.
    var keySignIn: Bool?

    static let members: [SettingMember<DashboardSetting>] = [
        SettingMember("plainNetworks", .networks, \.plainNetworks),
        SettingMember("keySignIn", .boolean, optional: \.keySignIn),
    ]
}

/// Sign-in by trusted proxies: `proxySignIn` in the configuration file.
struct ProxySignInSetting: Sendable, Equatable {
    /// The field in which they name the person.
    var header: HeaderName

    static var type: SettingType<ProxySignInSetting> {
        SettingType(
            "an object with header",
            read: { value, source in
                let object = try SettingObject(value, source, members: ["header"])
                return ProxySignInSetting(header: try object.required("header", .headerName))
            },
            write: { JSONValue(["header": SettingType<HeaderName>.headerName.write($0.header)] as JSONObject) })
    }
}
