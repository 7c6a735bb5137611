import WaymarkAssociation
import WaymarkBytes
import WaymarkJSON
import WaymarkLinks
import WaymarkService
import WaymarkStores

extension LinkInspection {
    /// Whether the association file of the link's host, as this server has it, hands the link to the app; if it does, what others
    /// have of it is to be asked too.
    mutating func inspectOpening(
        of url: WebURL, _ served: ServedApplication, as visitor: VerificationFinding.Visitor, on site: Site
    ) {
        let application = served.application
        let kind: AssociationKind
        switch visitor {
        case .iphone where application.ios?.hasUniversalLinks == true,
            .ipad where application.ios?.hasUniversalLinks == true:
            kind = .apple
        case .android where application.android?.package != nil: kind = .assetLinks
        default: return
        }
        guard let host = url.host, let file = site.associationFile(kind, at: host.text) else { return }
        let judge = AssociationJudge(url: url.text, kind: kind, source: AssociationTable.source(served.document))
        if let fault = judge.fault(of: file) {
            findings.append(VerificationFinding(fault.code, as: visitor, fault.message, url: url.text))
            return
        }
        // An iPad reads the same file as an iPhone.
        guard visitor != .ipad, host.mayBePublic, url.scheme == .https, url.port == nil else { return }
        copies.append(
            AssociationCopy(.host, as: visitor, "https://\(host.text)/.well-known/\(kind.rawValue)") { status, body in
                judge.fault(status, body)
            })
        let name: AssociationFileName = kind == .apple ? .apple : .assetLinks
        guard !site.observer.isSettling(AssociationFileKey(host, name)) else { return }
        switch kind {
        case .apple:
            let address = "https://app-site-association.cdn-apple.com/a/v1/\(host.text)"
            copies.append(
                AssociationCopy(.apple, as: visitor, address) { status, body in
                    judge.fault(status, body).map { (.cdnDiffers, "Apple's CDN: \($0.message)") }
                })
        case .assetLinks:
            let site = PercentEncoding.encode("https://\(host.text)")
            let relation = PercentEncoding.encode("delegate_permission/common.handle_all_urls")
            let address =
                "https://digitalassetlinks.googleapis.com/v1/statements:list?source.web.site=\(site)&relation=\(relation)"
            copies.append(
                AssociationCopy(.google, as: visitor, address) { status, body in
                    guard status == 200 else { return nil }
                    return AssociationIdentities.difference(ofStatements: body, from: judge.source)
                        .map { (.cdnDiffers, $0.sentence) }
                })
        }
    }
}

/// Whether association files hand a URL to the apps of an application.
private struct AssociationJudge: Sendable {
    let url: String
    let kind: AssociationKind
    let source: AssociationSource

    func fault(_ status: Int, _ body: [UInt8]) -> AssociationCopy.Fault? {
        // Systems follow no redirect here.
        guard status == 200 else { return (.appDoesNotOpen, "the answer for \(kind.rawValue) is \(status), not 200") }
        // A byte order mark is tolerated, and linted.
        guard body.first == 0xEF || (try? JSONValue(parsing: body)) != nil else {
            return (.appDoesNotOpen, "\(kind.rawValue) is not JSON")
        }
        return fault(of: body)
    }

    func fault(of file: [UInt8]) -> AssociationCopy.Fault? {
        if let difference = AssociationIdentities.difference(of: file, kind, from: source) {
            let code: VerificationFinding.Code =
                switch difference {
                case .team: .teamID
                case .fingerprint: .fingerprint
                case .missing: .appDoesNotOpen
                }
            return (code, "\(kind.rawValue): \(difference.sentence)")
        }
        let opening = LinkOpening(of: url, by: file, kind)
        return opening.opens == false
            ? (.appDoesNotOpen, "\(kind.rawValue) does not open the app: \(opening.why)") : nil
    }
}

extension HostName {
    /// Whether others than this machine and its network may know the name (RFC 2606, RFC 6761, RFC 6762, RFC 8375).
    fileprivate var mayBePublic: Bool {
        guard !isAddress, !isLoopback, text.contains(".") else { return false }
        let reserved = [
            "example", "example.com", "example.net", "example.org", "home.arpa", "internal", "invalid", "local",
            "onion",
            "test",
        ]
        return !reserved.contains { text.hasSuffix("." + $0) }
    }
}
