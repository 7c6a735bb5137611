/// `HOST:PORT`; an IPv6 address stands in brackets.
struct ListenAddress: Equatable, Sendable {
    let host: String
    /// 0 lets the system choose.
    let port: Int

    static let allowed = "HOST:PORT with a port from 0 to 65535, such as 127.0.0.1:8080 or [::1]:8080"

    init?(_ text: String) {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        let host = text[..<colon]
        let digits = text[text.index(after: colon)...]
        guard !digits.isEmpty, digits.utf8.count <= 5, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let port = Int(digits), port <= 65535
        else { return nil }
        if host.hasPrefix("[") {
            guard host.hasSuffix("]"), host.count > 2 else { return nil }
            self.host = String(host.dropFirst().dropLast())
        } else {
            guard !host.isEmpty, !host.contains(":"), !host.contains(where: { $0.isWhitespace || $0 == "/" }) else {
                return nil
            }
            self.host = String(host)
        }
        self.port = port
    }

    var text: String { (host.contains(":") ? "[\(host)]" : host) + ":\(port)" }
}
