import Foundation
import WaymarkClient
import WaymarkTLS

/// The URL of a server as people type it.
enum ServerURL {
    /// Without slashes at its end; with a scheme: http for this machine, https for others.
    static func base(_ text: String) -> String {
        var base = text
        while base.hasSuffix("/"), !base.hasSuffix("://") { base.removeLast() }
        guard !base.isEmpty, !base.contains("://") else { return base }
        return (isLoopback(host(of: base)) ? "http://" : "https://") + base
    }

    /// Whether the host leads to this machine.
    static func isLoopback(_ host: String) -> Bool {
        // A name may begin with 127, too.
        let bytes = host.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return ["localhost", "::1", "[::1]"].contains(host)
            || bytes.count == 4 && bytes[0] == 127
                && !bytes.contains(nil)
    }

    /// Of a text without a scheme.
    private static func host(of text: String) -> String {
        if text.hasPrefix("["), let end = text.firstIndex(of: "]") { return String(text[...end]) }
        return String(text.prefix { $0 != ":" && $0 != "/" })
    }
}

extension HTTPFailure {
    /// One sentence without a full stop, for a server that the user has named.
    func sentence(ofServer base: String) -> String {
        guard case .connection(.unreachable, let host) = self else { return "\(base): \(sentence)" }
        let port = URLComponents(string: base)?.port ?? (base.hasPrefix("https:") ? 443 : 80)
        // On this machine a port without a listener is the only reason.
        let reason = ServerURL.isLoopback(host) ? " (connection refused)" : ""
        return "\(base) can't be reached: nothing answers on port \(port) of \(host)\(reason); is the server running?"
    }
}
