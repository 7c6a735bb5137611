import WaymarkJSON
import WaymarkLinks
import WaymarkServer
import WaymarkService
import WaymarkSite
import WaymarkSockets

extension SettingType<TrustedProxies> {
    static var trustedProxies: SettingType {
        let networks = SettingType<[String]>.array(
            of: .string(
                "a network without bits behind the prefix, such as \"10.0.0.0/8\", \"2001:db8::/32\" or \"192.0.2.1\", or \"unix\"",
                convert: { text, _ in text == "unix" || NetworkPrefix(text) != nil ? text : nil }, write: \.self),
            "an array of networks such as \"10.0.0.0/8\", \"2001:db8::/32\" or \"192.0.2.1\", and \"unix\"")
        return SettingType(
            networks.allowed,
            read: { value, source in
                let texts = try networks.read(value, source)
                return TrustedProxies(
                    networks: texts.compactMap { NetworkPrefix($0) }, includesUnixSockets: texts.contains("unix"))
            },
            write: { networks.write($0.networks.map(\.description) + ($0.includesUnixSockets ? ["unix"] : [])) })
    }
}

extension SettingType<CallerLimits> {
    /// `{"create": {"perMinute": 600, "burst": 300}, "resolve": false, "exemptLoopback": true}`
    static var callerLimits: SettingType {
        object(
            CallerLimits(),
            CallerLimits.Kind.allCases.map { SettingMember($0.rawValue, .rateLimit, \.[$0]) }
                + [SettingMember("exemptLoopback", .boolean, \.exemptsLoopback)])
    }
}

extension SettingType<RateLimit?> {
    /// False disables the limit.
    fileprivate static var rateLimit: SettingType {
        let allowed = "{\"perMinute\": N, \"burst\": N}, or false for no limit"
        return SettingType(
            allowed,
            read: { value, source in
                if value.bool == false { return nil }
                let object = try SettingObject(value, source, members: ["perMinute", "burst"], allowed: allowed)
                return RateLimit(
                    perMinute: try object.required("perMinute", .integer(RateLimit.range)),
                    burst: try object.required("burst", .integer(RateLimit.range)))
            },
            write: { $0.map { ["perMinute": JSONValue($0.perMinute), "burst": JSONValue($0.burst)] } ?? false })
    }
}

extension SettingType<KeyText> {
    static var adminKey: SettingType {
        string(
            "wm_ and 32 or more of A-Z a-z 0-9", placeholder: "key",
            convert: { text, source in
                // The value is a secret, or was intended as one, so the message does not repeat it.
                guard let key = KeyText(text) else {
                    throw source.failure("not a key; give wm_ and 32 or more of A-Z a-z 0-9")
                }
                return key
            }, write: { _ in "wm_…" })
    }
}

extension Configuration {
    /// A listener with the PROXY protocol that nobody may connect to is a mistake.
    func checkProxies() throws {
        let addresses =
            self.listen + self.tlsListen + (self.secureRedirect?.listen ?? []) + [self.adminListen].compactMap(\.self)
        let trusted = self.trustedProxies
        for setting in addresses where setting.expectsProxyHeader {
            let isEnough =
                switch setting.endpoint {
                case .network: !trusted.networks.isEmpty
                case .unix: trusted.includesUnixSockets
                case .systemd: !trusted.isEmpty
                }
            guard !isEnough else { continue }
            throw CommandFailure.usage(
                "\(setting): the PROXY protocol is taken from trusted proxies only; give their networks, or \"unix\", in trustedProxies of the configuration file"
            )
        }
    }
}

/// The settings of the audit: `audit` in the configuration file.
struct AuditSettings: Sendable, Equatable {
    /// Days after which entries are deleted. Default: 400.
    var retentionDays = 400

    static let members: [SettingMember<AuditSettings>] = [
        SettingMember("retentionDays", .integer(1...3_650), \.retentionDays)
    ]
}

/// The settings of assistants: `assistants` in the configuration file.
struct AssistantSettings: Sendable, Equatable {
    /// Links that an assistant changes in one request without a plan. Default: 10.
    var unplannedLinks = 10

    static let members: [SettingMember<AssistantSettings>] = [
        SettingMember("unplannedLinks", .integer(0...100_000), \.unplannedLinks)
    ]
}

/// The settings of click recording: `clicks` in the configuration file.
struct ClickSettings: Sendable, Equatable {
    /// Days (UTC) after which records are deleted. Default: 400, to compare a month with the same one of the previous
    /// year; at most ten years.
    var retentionDays = 400
    /// Days (UTC) after which totals are deleted. Default: 1,100, to compare a year with the two before.
    var totalsRetentionDays = 1_100
    /// Whether each click is recorded, rather than only counted. Default: true.
    var record = true
    /// Whether unique visitors per day are counted, by hashes of their addresses. Default: true.
    var visitors = true
    /// How much of each click is stored; stricter levels of applications and links hold. Default: all.
    var detail = ClickDetail.full
    /// Seconds between writes of click records, which is also how much a crash can lose; up to three times as many if
    /// the clicks are spread over thousands of links (docs/guide/clicks.md). Default: 5.
    var flushSeconds = 5
    /// Bytes of records that the store does not take, in files beside the database; 0: none are kept. Default: 1 GiB.
    var spoolBytes = 1 << 30

    static let members: [SettingMember<ClickSettings>] = [
        SettingMember("retentionDays", .integer(1...3_650), \.retentionDays),
        SettingMember("totalsRetentionDays", .integer(1...3_650), \.totalsRetentionDays),
        SettingMember("record", .boolean, \.record),
        SettingMember("visitors", .boolean, \.visitors),
        SettingMember("detail", .choice(), \.detail),
        SettingMember("flushSeconds", .integer(1...60), \.flushSeconds),
        SettingMember("spoolBytes", .integer(0...1_099_511_627_776), \.spoolBytes),
    ]
}
