import FoundationEssentials
import Logging
import WaymarkAssociation
import WaymarkStores

/// Association files that an operator put into the public folder, for one host or for all.
///
/// Read at startup and on reload, never during a request.
struct AssociationOverrides: Sendable, Equatable {
    private var everywhere: [AssociationFileName: [UInt8]] = [:]
    private var hosts: [String: [AssociationFileName: [UInt8]]] = [:]

    /// Larger files are ignored, because no system reads them.
    private static let sizeLimit = 1 << 20

    init() {}

    /// - Parameter folder: has files at its top or in `.well-known`, and the same for a host in `hosts/<host>/`.
    init(folder: String) {
        everywhere = Self.files(in: folder)
        let hostsFolder = folder + "/hosts"
        for host in (try? FileManager.default.contentsOfDirectory(atPath: hostsFolder)) ?? [] {
            let found = Self.files(in: hostsFolder + "/" + host)
            if !found.isEmpty { hosts[host.lowercased()] = found }
        }
    }

    /// - Parameter host: in lower case.
    /// - Returns: the file and its host, which is empty for a file for all hosts.
    func file(_ name: AssociationFileName, host: String) -> (content: [UInt8], host: String)? {
        if let own = hosts[host]?[name] { return (own, host) }
        return everywhere[name].map { ($0, "") }
    }

    /// Logs problems of the files. The files are served anyway, because the operator may have reasons that the linter
    /// doesn't know.
    func lint(to logger: Logger) {
        let all = hosts.sorted { $0.key < $1.key }.map { (" of \($0.key)", $0.value) } + [("", everywhere)]
        for (index, files) in all {
            for name in AssociationFileName.allCases {
                guard let file = files[name] else { continue }
                let report = AssociationLint.lint(file, kind: name.kind, isServedHere: true)
                for finding in report.findings.prefix(Self.loggedFindings) where finding.rule.severity != .note {
                    let line = finding.line.map { " line \($0)" } ?? ""
                    logger.warning(
                        "\(name.rawValue)\(index)\(line): \(finding.problem) [\(finding.rule.rawValue)]")
                }
            }
        }
    }

    /// Per file.
    private static let loggedFindings = 20

    private static func files(in folder: String) -> [AssociationFileName: [UInt8]] {
        var files: [AssociationFileName: [UInt8]] = [:]
        for name in AssociationFileName.allCases {
            for index in [".well-known/", ""] {
                let path = "\(folder)/\(index)\(name.rawValue)"
                guard files[name] == nil, let content = FileManager.default.contents(atPath: path),
                    content.count <= sizeLimit
                else { continue }
                files[name] = Array(content)
            }
        }
        return files
    }
}

extension AssociationFileName {
    var kind: AssociationKind {
        switch self {
        case .apple: .apple
        case .assetLinks: .assetLinks
        }
    }
}
