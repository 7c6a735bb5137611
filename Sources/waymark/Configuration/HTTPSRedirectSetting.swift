import WaymarkJSON
import WaymarkSite
import WaymarkSockets
import WaymarkTLS

/// Where plain HTTP is sent to HTTPS, and how.
struct HTTPSRedirectSetting: Sendable, Equatable {
    let listen: [ListenSetting]
    /// Where HTTPS is reached from outside.
    let port: Int
    /// 301 or 308.
    let status: Int

    /// What the site needs of it. Hosts of certificates are ours also after a reload.
    func options(_ certificates: CertificateStore?) -> SiteOptions.HTTPSRedirect {
        var options = SiteOptions.HTTPSRedirect()
        options.port = port
        options.isPermanentForMethods = status == 308
        if let certificates { options.isCertified = { certificates.current.covers($0) } }
        return options
    }

    /// As the configuration file has it.
    var document: JSONValue {
        [
            "listen": JSONValue(listen.map { JSONValue($0.description) }), "port": JSONValue(port),
            "status": JSONValue(status),
        ]
    }
}
