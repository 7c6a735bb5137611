import WaymarkJSON
import WaymarkServer
import WaymarkSockets

/// What the configuration file says about TLS.
extension ConfigurationFile {
    func certificates() throws -> [CertificateSetting]? {
        let allowed = "an array of objects, each with certificate and privateKey"
        return try value("certificates", allowed) { $0.array }?.enumerated().map { index, element in
            let location = "certificates[\(index)]"
            let object = try object(element, at: location, members: ["certificate", "privateKey", "ocspStaple"])
            func path(_ member: String) throws -> Named<String>? {
                guard let given = object[member], !given.isNull else { return nil }
                let name = name("\(location).\(member)")
                guard let text = given.string else {
                    throw CommandFailure.usage("\(name): \(given.noun) is not allowed; give a path")
                }
                return Named(try ConfigurationValue.path(text, name: name).relative(to: folder), name: name)
            }
            guard let certificate = try path("certificate") else { throw missing("\(location).certificate", "a path") }
            guard let privateKey = try path("privateKey") else { throw missing("\(location).privateKey", "a path") }
            return CertificateSetting(
                certificate: certificate, privateKey: privateKey, ocspStaple: try path("ocspStaple"))
        }
    }

    /// `{"maxAge": 63072000, "includeSubDomains": true, "preload": false}`
    func strictTransportSecurity() throws -> StrictTransportSecurity? {
        let allowed = "an object with maxAge, and includeSubDomains and preload where they are wanted"
        guard let given = try value("hsts", allowed, { $0 }) else { return nil }
        let object = try object(given, at: "hsts", members: ["maxAge", "includeSubDomains", "preload"])
        guard let age = try integer(object, "maxAge", at: "hsts", in: 0...Self.longestAge, unit: "seconds") else {
            throw missing("hsts.maxAge", "a number of seconds, such as 63072000")
        }
        let includesSubdomains = try flag(object, "includeSubDomains", at: "hsts") ?? false
        let isPreloaded = try flag(object, "preload", at: "hsts") ?? false
        // What the lists that browsers are shipped with ask for (hstspreload.org); without it the word says nothing.
        guard !isPreloaded || (includesSubdomains && age >= Self.preloadAge) else {
            throw CommandFailure.usage(
                "\(name("hsts.preload")): needs includeSubDomains and a maxAge of \(Self.preloadAge) or more")
        }
        return StrictTransportSecurity(
            maximumAge: age, includesSubdomains: includesSubdomains, isPreloaded: isPreloaded)
    }

    /// `{"listen": ["0.0.0.0:80"], "port": 443, "status": 308}`
    func secureRedirect() throws -> HTTPSRedirectSetting? {
        let allowed = "an object with listen, and port and status where they are wanted"
        guard let given = try value("httpsRedirect", allowed, { $0 }) else { return nil }
        let object = try object(given, at: "httpsRedirect", members: ["listen", "port", "status"])
        let location = name("httpsRedirect.listen")
        let addresses = object["listen"]?.array ?? []
        let texts = addresses.compactMap(\.string)
        guard !texts.isEmpty, texts.count == addresses.count else {
            throw CommandFailure.usage("\(location): give an array of \(ListenSetting.allowed)")
        }
        let port = try integer(object, "port", at: "httpsRedirect", in: 1...65_535, unit: nil)
        let status = try integer(object, "status", at: "httpsRedirect", in: 301...308, unit: nil) ?? 308
        guard status == 301 || status == 308 else {
            throw CommandFailure.usage("\(name("httpsRedirect.status")): \(status) is not allowed; give 301 or 308")
        }
        let listen = try texts.map { text in
            guard let setting = ListenSetting(text)?.relative(to: folder) else {
                throw ConfigurationValue.refusal(location, text, allowed: ListenSetting.allowed)
            }
            return setting
        }
        return HTTPSRedirectSetting(listen: listen, port: port ?? 443, status: status)
    }

    /// Ten years, in seconds.
    private static let longestAge = 315_360_000
    /// One year, in seconds.
    private static let preloadAge = 31_536_000

    // MARK: Members of an object

    private func object(_ value: JSONValue, at location: String, members allowed: [String]) throws -> JSONObject {
        guard let object = value.object else {
            throw CommandFailure.usage("\(name(location)): \(value.noun) is not allowed; give an object")
        }
        if let unknown = object.members.first(where: { !allowed.contains($0.name) }) {
            throw CommandFailure.usage(
                "\(name(location)): unknown key \"\(unknown.name)\"; allowed: \(allowed.joined(separator: ", "))")
        }
        return object
    }

    private func integer(
        _ object: JSONObject, _ member: String, at location: String, in range: ClosedRange<Int>, unit: String?
    ) throws -> Int? {
        guard let given = object[member], !given.isNull else { return nil }
        guard let number = given.integer, range.contains(number) else {
            let wrong = given.integer.map(String.init) ?? given.noun
            throw CommandFailure.usage(
                "\(name("\(location).\(member)")): \(wrong) is not allowed; give a number\(unit.map { " of \($0)" } ?? "") "
                    + "from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    private func flag(_ object: JSONObject, _ member: String, at location: String) throws -> Bool? {
        guard let given = object[member], !given.isNull else { return nil }
        guard let flag = given.bool else {
            throw CommandFailure.usage(
                "\(name("\(location).\(member)")): \(given.noun) is not allowed; give true or false")
        }
        return flag
    }

    private func missing(_ location: String, _ allowed: String) -> CommandFailure {
        .usage("\(name(location)): missing; give \(allowed)")
    }
}

extension StrictTransportSecurity {
    /// As the configuration file has it.
    var document: JSONValue {
        [
            "maxAge": JSONValue(maximumAge), "includeSubDomains": JSONValue(includesSubdomains),
            "preload": JSONValue(isPreloaded),
        ]
    }
}
