/// A fault that a walk of a link found, or a reason why it can't be known whether there is one.
package struct VerificationFinding: Sendable, Hashable {
    /// As which visitors links are walked. The raw values are stored and never change.
    package enum Visitor: String, Sendable, CaseIterable {
        case iphone, ipad, android, desktop, inApp, crawler
        /// Independent of the visitor.
        case all
    }

    /// The raw values are stored, and part of the API.
    package enum Code: String, Sendable, CaseIterable {
        // Of the destination.
        case httpStatus = "http-status"
        case redirectLoop = "redirect-loop"
        case redirectTarget = "redirect-target"
        case tlsCertificate = "tls-certificate"
        // Of the link and its application.
        case noDestination = "no-destination"
        case templateMissing = "template-missing"
        case ruleNeverApplies = "rule-never-applies"
        case schemeWithoutApp = "scheme-without-app"
        case linksToItself = "links-to-itself"
        case domainNotOfApp = "domain-not-of-app"
        // Of association files.
        case appDoesNotOpen = "app-does-not-open"
        case fingerprint
        case teamID = "team-id"
        case cdnDiffers = "cdn-differs"
        // Why it can't be known.
        case unreachable
        case forbiddenAddress = "forbidden-address"
        case robots
        case rateLimited = "rate-limited"

        /// Whether a link with it is broken; otherwise its state is unknown.
        package var isFault: Bool {
            switch self {
            // A host that can't be reached from here may work for everybody else.
            case .unreachable, .forbiddenAddress, .robots, .rateLimited: false
            default: true
            }
        }

        /// In the set of codes that is stored beside the findings, so that they can be counted; never changes.
        fileprivate var bit: Int64 {
            switch self {
            case .httpStatus: 1
            case .unreachable: 1 << 1
            case .redirectLoop: 1 << 2
            case .redirectTarget: 1 << 3
            case .tlsCertificate: 1 << 4
            case .noDestination: 1 << 5
            case .templateMissing: 1 << 6
            case .ruleNeverApplies: 1 << 7
            case .appDoesNotOpen: 1 << 8
            case .linksToItself: 1 << 9
            case .domainNotOfApp: 1 << 10
            case .forbiddenAddress: 1 << 11
            case .robots: 1 << 12
            case .rateLimited: 1 << 13
            case .schemeWithoutApp: 1 << 14
            case .fingerprint: 1 << 15
            case .teamID: 1 << 16
            case .cdnDiffers: 1 << 17
            }
        }
    }

    /// Of a message and of a URL, in bytes.
    package static let textLimit = 300
    /// Findings that are stored of a link.
    package static let limit = 12

    package var visitor: Visitor
    package var code: Code
    /// One line without a full stop.
    package var message: String
    package var url: String?
    /// The end of the first of the walks that all found it since; later if a look at it got no answer.
    package var since: Int64 = 0

    package init(_ code: Code, as visitor: Visitor, _ message: String, url: String? = nil) {
        self.code = code
        self.visitor = visitor
        self.message = Self.shortened(message)
        self.url = url.map(Self.shortened)
    }

    /// Whether it is the same fault, so that a second look confirms it.
    package func isSame(as other: VerificationFinding) -> Bool {
        code == other.code && visitor == other.visitor && url == other.url
    }

    static func shortened(_ text: String) -> String {
        text.utf8.count <= textLimit ? text : String(decoding: text.utf8.prefix(textLimit - 4), as: UTF8.self) + "…"
    }
}

extension Set<VerificationFinding.Code> {
    /// - Parameter bits: as `codeBits` wrote them; bits of later versions are ignored.
    package init(bits: Int64) { self = Set(VerificationFinding.Code.allCases.filter { bits & $0.bit != 0 }) }
}

extension [VerificationFinding] {
    package var codeBits: Int64 { reduce(0) { $0 | $1.code.bit } }

    private static let form: UInt8 = 1

    package var encoded: [UInt8] {
        guard !isEmpty else { return [] }
        var writer = BinaryWriter()
        writer.byte(Self.form)
        for finding in self {
            writer.text(finding.visitor.rawValue)
            writer.text(finding.code.rawValue)
            writer.text(finding.message)
            writer.text(finding.url ?? "")
            writer.signed(finding.since)
        }
        return writer.bytes
    }

    /// - Throws: `.corrupt` for bytes that `encoded` did not write.
    package init(encoded bytes: [UInt8]) throws(StoreError) {
        self = []
        guard !bytes.isEmpty else { return }
        var reader = BinaryReader(bytes[...])
        let damage = StoreError.corrupt("the findings of a link's verification are damaged")
        guard reader.byte() == Self.form else { throw damage }
        while !reader.isAtEnd {
            guard let visitor = reader.text().flatMap({ VerificationFinding.Visitor(rawValue: $0) }),
                let code = reader.text().flatMap({ VerificationFinding.Code(rawValue: $0) }),
                let message = reader.text(), let url = reader.text(), let since = reader.signed()
            else { throw damage }
            var finding = VerificationFinding(code, as: visitor, message, url: url.isEmpty ? nil : url)
            finding.since = since
            append(finding)
        }
    }
}
