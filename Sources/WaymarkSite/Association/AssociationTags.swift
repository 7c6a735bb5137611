import WaymarkAssociation
import WaymarkLinks
import WaymarkService
import WaymarkStores

/// The entity tags of the files that the hosts of applications serve.
enum AssociationTags {
    /// Tags of generated files, which are made again only if one of their applications has changed.
    struct Memory {
        fileprivate var generated: [[ApplicationID]: Generated] = [:]
    }

    fileprivate struct Generated {
        let applications: [ServedApplication]
        let tags: [AssociationFileName: String]
    }

    /// - Returns: A tag for each file of each host; empty if there is no file.
    static func all(
        _ directory: ApplicationDirectory, _ overrides: AssociationOverrides, sha256: ([UInt8]) -> [UInt8],
        _ memory: inout Memory
    ) -> [AssociationFileKey: String] {
        var tags: [AssociationFileKey: String] = [:]
        var given: [String: [AssociationFileName: String]] = [:]
        var generated: [[ApplicationID]: Generated] = [:]
        for host in directory.applications.flatMap(\.application.hosts) {
            guard let ids = directory.lookup(at: host)?.applications else { continue }
            let applications = ids.compactMap { directory.application($0) }
            let made =
                generated[ids] ?? memory.generated[ids].flatMap { $0.isOf(applications) ? $0 : nil }
                ?? Generated(applications, in: directory, sha256: sha256)
            generated[ids] = made
            for name in AssociationFileName.allCases {
                guard let file = overrides.file(name, host: host.text) else {
                    tags[AssociationFileKey(host, name)] = made.tags[name] ?? ""
                    continue
                }
                let tag = given[file.host]?[name] ?? ContentTag.text(of: file.content, sha256: sha256)
                given[file.host, default: [:]][name] = tag
                tags[AssociationFileKey(host, name)] = tag
            }
        }
        memory.generated = generated
        return tags
    }
}

extension AssociationTags.Generated {
    fileprivate init(
        _ applications: [ServedApplication], in directory: ApplicationDirectory, sha256: ([UInt8]) -> [UInt8]
    ) {
        self.applications = applications
        let files = AssociationTable.files(of: applications.map(\.id), in: directory)
        var tags: [AssociationFileName: String] = [:]
        tags[.apple] = files.apple.map { ContentTag.text(of: $0, sha256: sha256) }
        tags[.assetLinks] = files.assetLinks.map { ContentTag.text(of: $0, sha256: sha256) }
        self.tags = tags
    }

    fileprivate func isOf(_ others: [ServedApplication]) -> Bool {
        applications.count == others.count && zip(applications, others).allSatisfy { $0 === $1 }
    }
}
