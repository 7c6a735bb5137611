/// A host, or with the prefix `*.` all of its subdomains.
package struct HostPattern: Sendable, Hashable {
    package var host: HostName
    package var isBelow: Bool

    package var text: String { (isBelow ? "*." : "") + host.text }

    package init?(_ text: String) {
        let isBelow = text.hasPrefix("*.")
        guard let host = HostName(isBelow ? String(text.dropFirst(2)) : text) else { return nil }
        self.host = host
        self.isBelow = isBelow
    }

    func holds(_ other: HostName) -> Bool {
        isBelow ? other.text.hasSuffix("." + host.text) : other == host
    }

    func covers(_ other: HostPattern) -> Bool {
        isBelow
            ? (other.isBelow && other.host == host) || holds(other.host)
            : !other.isBelow && other.host == host
    }

    /// Like `init`, but returns the problem. An address has no subdomains.
    static func check(_ text: String) -> Checked<HostPattern> {
        let isBelow = text.hasPrefix("*.")
        switch HostName.check(isBelow ? String(text.dropFirst(2)) : text) {
        case .problem(let problem):
            return .problem(text.contains("*") ? "is no host such as example.com or *.example.com" : problem)
        case .valid(let host) where isBelow && host.isAddress:
            return .problem("is an address, and below an address there is no host")
        case .valid:
            return HostPattern(text).map { .valid($0) } ?? .problem("is no host such as example.com or *.example.com")
        }
    }
}
