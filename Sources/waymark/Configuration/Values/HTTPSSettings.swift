import WaymarkJSON
import WaymarkServer
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// The redirect from HTTP to HTTPS.
struct HTTPSRedirectSetting: Sendable, Equatable {
    let listen: [ListenSetting]
    /// The public HTTPS port.
    let port: Int
    /// 301 or 308.
    let status: Int

    /// A reload that changes the certificates also changes which hosts are redirected.
    func options(_ certificates: CertificateStore?) -> SiteOptions.HTTPSRedirect {
        var options = SiteOptions.HTTPSRedirect()
        options.port = port
        options.isPermanentForMethods = status == 308
        if let certificates { options.isCertified = { certificates.current.covers($0) } }
        return options
    }
}

extension SettingType<HTTPSRedirectSetting> {
    /// `{"listen": ["0.0.0.0:80"], "port": 443, "status": 308}`
    static var secureRedirect: SettingType {
        let listen = SettingType<[ListenSetting]>.addresses(allowsNone: false)
        let allowed = "an object with listen, and port and status where they are wanted"
        return SettingType(
            allowed,
            read: { value, source in
                let object = try SettingObject(value, source, members: ["listen", "port", "status"], allowed: allowed)
                return HTTPSRedirectSetting(
                    listen: try object.required("listen", listen),
                    port: try object.value("port", .integer(1...65_535)) ?? 443,
                    status: try object.value("status", .status) ?? 308)
            },
            write: {
                ["listen": listen.write($0.listen), "port": JSONValue($0.port), "status": JSONValue($0.status)]
            })
    }
}

extension SettingType<Int> {
    fileprivate static var status: SettingType {
        SettingType(
            "301 or 308", convert: { value in value.integer.flatMap { [301, 308].contains($0) ? $0 : nil } },
            write: { JSONValue($0) })
    }
}

extension SettingType<StrictTransportSecurity> {
    /// `{"maxAge": 63072000, "includeSubDomains": true, "preload": false}`
    static var strictTransportSecurity: SettingType {
        let allowed = "an object with maxAge, and includeSubDomains and preload where they are wanted"
        return SettingType(
            allowed,
            read: { value, source in
                let object = try SettingObject(
                    value, source, members: ["maxAge", "includeSubDomains", "preload"], allowed: allowed)
                let age = try object.required("maxAge", .integer(0...longestAge))
                let includesSubdomains = try object.value("includeSubDomains", .boolean) ?? false
                let isPreloaded = try object.value("preload", .boolean) ?? false
                // Required by browsers' preload lists (hstspreload.org), which ignore it otherwise.
                guard !isPreloaded || (includesSubdomains && age >= preloadAge) else {
                    throw source.member("preload").failure(
                        "needs includeSubDomains and a maxAge of \(preloadAge) or more")
                }
                return StrictTransportSecurity(
                    maximumAge: age, includesSubdomains: includesSubdomains, isPreloaded: isPreloaded)
            },
            write: {
                [
                    "maxAge": JSONValue($0.maximumAge), "includeSubDomains": JSONValue($0.includesSubdomains),
                    "preload": JSONValue($0.isPreloaded),
                ]
            })
    }

    /// Ten years, in seconds.
    private static var longestAge: Int { 315_360_000 }
    /// One year, in seconds.
    private static var preloadAge: Int { 31_536_000 }
}
