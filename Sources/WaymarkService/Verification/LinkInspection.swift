package import WaymarkStores

/// What a link's own decision says, before any request.
package struct LinkInspection: Sendable {
    package var findings: [VerificationFinding]
    /// Where visitors get to, http and https only.
    package var destinations: [(visitor: VerificationFinding.Visitor, url: String)]
    /// Files on which it depends whether its app opens.
    package var copies: [AssociationCopy]

    package init(
        findings: [VerificationFinding] = [], destinations: [(visitor: VerificationFinding.Visitor, url: String)] = [],
        copies: [AssociationCopy] = []
    ) {
        self.findings = findings
        self.destinations = destinations
        self.copies = copies
    }
}
