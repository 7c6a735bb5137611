import WaymarkAssociation
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkSite
import WaymarkStores

/// A host to check, and what its applications want there.
struct DoctorTarget: Sendable, Equatable {
    /// Maximum number of hosts of a run.
    static let limit = 1_000

    /// In lower case; IPv6 in brackets.
    let host: String
    /// Of HTTPS. Apple and Google only use 443.
    var port = 443
    /// Whether an application with an iOS app has the host; nil: unknown.
    var hasIOSApp: Bool?
    /// Whether an application with an Android app has the host; nil: unknown.
    var hasAndroidApp: Bool?
    /// Why the server has no certificate, or no newer one, according to `GET /api/v1/domains`.
    var renewalProblem: String?
    /// What the server has observed of Apple's file; nil: unknown.
    var appleFetch: AppleFetchCheck.Observation?
    /// The paths of its newest active links, such as `/hello`, the newest first; at most
    /// `AssociationLint.linksChecked`. Empty: none is known.
    var links: [String] = []
    /// The `openHost` of its applications whose pages on iPhones start the app; the inner nil: they have none.
    var openHost: String??

    init(host: String, port: Int = 443, hasIOSApp: Bool? = nil, hasAndroidApp: Bool? = nil) {
        self.host = host
        self.port = port
        self.hasIOSApp = hasIOSApp
        self.hasAndroidApp = hasAndroidApp
    }

    /// Host, and the port unless it is 443.
    var name: String { port == 443 ? host : "\(host):\(port)" }
    var origin: String { "https://\(name)" }
    /// The path of one of its active links; nil: none is known.
    var link: String? { links.first }

    /// Parses `HOST` or `HOST:PORT`.
    ///
    /// - Throws: `CommandFailure` with status 2.
    init(argument text: String) throws {
        let isBareIPv6 = text.utf8.count { $0 == UInt8(ascii: ":") } > 1 && !text.hasPrefix("[")
        guard let host = isBareIPv6 ? HostName(text) : HostName(hostHeader: text) else {
            throw CommandFailure.usage("\"\(text)\" is not a host; give a name such as go.example.com")
        }
        var port = 443
        if !isBareIPv6, let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") {
            guard let number = Int(text[text.index(after: colon)...]), (1...65_535).contains(number) else {
                throw CommandFailure.usage("\"\(text)\": the port must be a number from 1 to 65535")
            }
            port = number
        }
        self.init(host: host.text, port: port)
    }

    /// The hosts of applications, each once, in the order of the documents.
    static func targets(ofApplications documents: [[UInt8]]) -> [DoctorTarget] {
        var targets: [DoctorTarget] = []
        var positions: [String: Int] = [:]
        for bytes in documents {
            guard let application = ApplicationDocument.application(bytes),
                let document = try? JSONValue(parsing: bytes),
                case .source(let source) = AssociationSource.read(document)
            else { continue }
            let (hasIOS, hasAndroid) = (!source.apple.isEmpty, !source.assetLinks.apps.isEmpty)
            let startsApp = application.ios?.urlScheme != nil && !source.apple.details.isEmpty
            for host in application.hosts {
                let position = positions[host.text] ?? targets.count
                if position == targets.count {
                    positions[host.text] = position
                    targets.append(DoctorTarget(host: host.text))
                }
                targets[position].hasIOSApp = targets[position].hasIOSApp == true || hasIOS
                targets[position].hasAndroidApp = targets[position].hasAndroidApp == true || hasAndroid
                // Of several applications, one without an `openHost` decides.
                if startsApp, host != application.openHost, targets[position].openHost != .some(nil) {
                    targets[position].openHost = .some(application.openHost?.text)
                }
            }
        }
        return targets
    }

    /// Of the newest links, the first active ones of each host.
    static func add(_ rows: [ArchivedRow], to targets: inout [DoctorTarget], now: Timestamp) {
        var paths: [String: [String]] = [:]
        for case .link(let archived) in rows.reversed() {
            let link = archived.link
            guard link.state(at: now) == .active else { continue }
            guard paths[link.domain.text, default: []].count < AssociationLint.linksChecked else { continue }
            paths[link.domain.text, default: []].append("/" + link.slug.encoded)
        }
        for index in targets.indices { targets[index].links = paths[targets[index].host] ?? [] }
    }

    /// Adds what is known of this host from the applications.
    func completed(from known: [DoctorTarget]) -> DoctorTarget {
        guard let match = known.first(where: { $0.host == host }) else { return self }
        var target = self
        target.hasIOSApp = match.hasIOSApp
        target.hasAndroidApp = match.hasAndroidApp
        target.renewalProblem = match.renewalProblem
        target.appleFetch = match.appleFetch
        target.links = match.links
        target.openHost = match.openHost
        return target
    }
}
