import FoundationEssentials

/// Association files that an operator put into the public folder: those of one host, and those for all.
///
/// Read at the start and on reload, never while a request waits.
struct AssociationOverrides: Sendable, Equatable {
    enum Name: String, Sendable, CaseIterable {
        case apple = "apple-app-site-association"
        case assetLinks = "assetlinks.json"
    }

    private var everywhere: [Name: [UInt8]] = [:]
    private var hosts: [String: [Name: [UInt8]]] = [:]

    /// Larger files are not looked at: no system reads them.
    private static let sizeLimit = 1 << 20

    init() {}

    /// - Parameter folder: with the files themselves or under `.well-known`, and below `hosts/<host>/` likewise.
    init(folder: String) {
        everywhere = Self.files(in: folder)
        let hostsFolder = folder + "/hosts"
        for host in (try? FileManager.default.contentsOfDirectory(atPath: hostsFolder)) ?? [] {
            let found = Self.files(in: hostsFolder + "/" + host)
            if !found.isEmpty { hosts[host.lowercased()] = found }
        }
    }

    /// - Parameter host: in lower case.
    func file(_ name: Name, host: String) -> [UInt8]? {
        hosts[host]?[name] ?? everywhere[name]
    }

    private static func files(in folder: String) -> [Name: [UInt8]] {
        var files: [Name: [UInt8]] = [:]
        for name in Name.allCases {
            for place in [".well-known/", ""] {
                let path = "\(folder)/\(place)\(name.rawValue)"
                guard files[name] == nil, let content = FileManager.default.contents(atPath: path),
                    content.count <= sizeLimit
                else { continue }
                files[name] = Array(content)
            }
        }
        return files
    }
}
