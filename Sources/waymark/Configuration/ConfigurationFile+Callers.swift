import WaymarkHTTP
import WaymarkJSON
import WaymarkServer
import WaymarkSite
import WaymarkSockets

/// Who may ask, for whom, and how much: `listen` and its like, `trustedProxies`, `rateLimits`.
extension ConfigurationFile {
    private static let listenMembers = ["address", "proxyProtocol", "mode"]

    /// An array of strings as flags have them, or of objects.
    func listenSettings(_ key: String) throws -> [ListenSetting]? {
        try value(key, "an array of strings or objects, such as [\"127.0.0.1:8080\"]") { $0.array }?
            .enumerated().map { try listenSetting($1, location: "\(key)[\($0)]", of: key) }
    }

    func listenSetting(_ key: String) throws -> ListenSetting? {
        try value(key, "a string or an object") { $0 }.map { try listenSetting($0, location: key, of: key) }
    }

    private func listenSetting(_ value: JSONValue, location: String, of key: String) throws -> ListenSetting {
        let text: String
        if let object = value.object {
            text = try listenText(object, location)
        } else if let string = value.string {
            text = string
        } else {
            throw CommandFailure.usage("\(name(location)): \(value.noun) is not allowed; give \(ListenSetting.allowed)")
        }
        guard let setting = ListenSetting(text)?.relative(to: folder) else {
            throw ConfigurationValue.refusal(name(key), text, allowed: ListenSetting.allowed)
        }
        return setting
    }

    /// An object, in the words of a flag.
    private func listenText(_ object: JSONObject, _ location: String) throws -> String {
        try refuseUnknown(in: object, location, allowed: Self.listenMembers)
        guard let address = object["address"]?.string, !address.utf8.contains(UInt8(ascii: ",")) else {
            throw CommandFailure.usage(
                "\(name("\(location).address")): missing or no address; give \(Self.addressForm)")
        }
        var text = address
        if let given = object["proxyProtocol"], !given.isNull {
            guard let isProxied = given.bool else {
                throw CommandFailure.usage(
                    "\(name("\(location).proxyProtocol")): \(given.noun) is not allowed; give true or false")
            }
            if isProxied { text += ",proxy" }
        }
        if let mode = object["mode"], !mode.isNull {
            guard let digits = mode.string, ListenSetting.mode(digits) != nil, address.hasPrefix("unix:") else {
                throw CommandFailure.usage(
                    "\(name("\(location).mode")): not allowed; give the permissions of a unix: address, such as \"0660\""
                )
            }
            text += ",mode=\(digits)"
        }
        return text
    }

    private static let addressForm = "HOST:PORT, unix:PATH, systemd or systemd:NAME"

    func trustedProxies() throws -> TrustedProxies? {
        let allowed = "networks such as \"10.0.0.0/8\", \"2001:db8::/32\" or \"192.0.2.1\", or \"unix\""
        return try value("trustedProxies", "an array of \(allowed)") { $0.array }.map { elements in
            var trusted = TrustedProxies()
            for (index, element) in elements.enumerated() {
                let location = name("trustedProxies[\(index)]")
                guard let text = element.string else {
                    throw CommandFailure.usage("\(location): \(element.noun) is not allowed; give \(allowed)")
                }
                if text == "unix" {
                    trusted.includesUnixSockets = true
                } else if let network = NetworkPrefix(text) {
                    trusted.networks.append(network)
                } else {
                    throw ConfigurationValue.refusal(
                        location, text, allowed: "\(allowed), without bits behind the prefix")
                }
            }
            return trusted
        }
    }

    private static let loopbackMember = "exemptLoopback"

    func callerLimits() throws -> CallerLimits? {
        let kinds = CallerLimits.Kind.allCases.map(\.rawValue)
        return try value("rateLimits", "an object") { $0.object }.map { object in
            try refuseUnknown(in: object, "rateLimits", allowed: kinds + [Self.loopbackMember])
            var limits = CallerLimits()
            for kind in CallerLimits.Kind.allCases {
                guard let given = object[kind.rawValue], !given.isNull else { continue }
                limits[kind] = try rateLimit(given, "rateLimits.\(kind.rawValue)")
            }
            if let given = object[Self.loopbackMember], !given.isNull {
                guard let exempts = given.bool else {
                    throw CommandFailure.usage(
                        "\(name("rateLimits.\(Self.loopbackMember)")): \(given.noun) is not allowed; give true or false"
                    )
                }
                limits.exemptsLoopback = exempts
            }
            return limits
        }
    }

    /// Nil for false, which lifts a limit.
    private func rateLimit(_ given: JSONValue, _ location: String) throws -> RateLimit? {
        if given.bool == false { return nil }
        guard let object = given.object else {
            throw CommandFailure.usage(
                "\(name(location)): \(given.noun) is not allowed; give {\"perMinute\": N, \"burst\": N}, or false for no limit"
            )
        }
        let members = ["perMinute", "burst"]
        try refuseUnknown(in: object, location, allowed: members)
        let range = RateLimit.range
        let numbers = try members.map { member in
            guard let number = object[member]?.integer, range.contains(number) else {
                throw CommandFailure.usage(
                    "\(name("\(location).\(member)")): missing or not allowed; give a number from \(range.lowerBound) to \(range.upperBound)"
                )
            }
            return number
        }
        return RateLimit(perMinute: numbers[0], burst: numbers[1])
    }

    private func refuseUnknown(in object: JSONObject, _ location: String, allowed: [String]) throws {
        guard let unknown = object.members.first(where: { !allowed.contains($0.name) }) else { return }
        throw CommandFailure.usage(
            "\(name(location)): unknown key \"\(unknown.name)\"; allowed: \(allowed.joined(separator: ", "))")
    }
}

extension Configuration {
    /// A listener of the PROXY protocol to which nobody may connect is a mistake.
    func checkProxies() throws {
        let all = listen + tlsListen + (secureRedirect?.listen ?? []) + [adminListen].compactMap(\.self)
        for setting in all where setting.expectsProxyHeader {
            let isEnough =
                switch setting.endpoint {
                case .network: !trustedProxies.networks.isEmpty
                case .unix: trustedProxies.includesUnixSockets
                case .systemd: !trustedProxies.isEmpty
                }
            guard !isEnough else { continue }
            throw CommandFailure.usage(
                "\(setting): the PROXY protocol is taken from trusted proxies only; give their networks, or \"unix\", in trustedProxies of the configuration file"
            )
        }
    }

    var callersDocument: [(String, JSONValue)] {
        var limits: JSONObject = [:]
        for kind in CallerLimits.Kind.allCases {
            limits[kind.rawValue] =
                callerLimits[kind].map { ["perMinute": JSONValue($0.perMinute), "burst": JSONValue($0.burst)] } ?? false
        }
        limits["exemptLoopback"] = JSONValue(callerLimits.exemptsLoopback)
        let proxies =
            trustedProxies.networks.map { JSONValue($0.description) }
            + (trustedProxies.includesUnixSockets ? ["unix"] : [])
        return [
            ("trustedProxies", JSONValue(proxies)), ("forwardedFields", JSONValue(forwardedFields.rawValue)),
            ("countryHeader", countryHeader.map { JSONValue($0.text) } ?? .null), ("rateLimits", JSONValue(limits)),
        ]
    }
}
