/// Paths that browsers, advertising networks and vulnerability scanners request from every host, whether or not anything leads
/// there: icons, `ads.txt`, WordPress, `.env`. Kept apart from other unknown addresses, because nobody mistyped them.
///
/// `docs/guide/clicks.md` lists them.
package enum ProbePath {
    /// Whole paths, in lower case.
    static let names: Set<String> = [
        "ads.txt", "app-ads.txt", "browserconfig.xml", "clientaccesspolicy.xml", "crossdomain.xml", "humans.txt",
        "llms.txt",
        "manifest.json", "manifest.webmanifest", "robots.txt", "security.txt", "sellers.json", "site.webmanifest",
    ]

    /// Beginnings of paths.
    static let prefixes = ["android-chrome-", "apple-touch-icon", "favicon", "mstile-", "sitemap", "wp-"]

    /// First segments.
    static let folders: Set<String> = [
        "_ignition", "_profiler", "actuator", "adminer", "autodiscover", "boaform", "cgi-bin", "ecp", "geoserver",
        "goform",
        "gponform", "hnap1", "meta-inf", "owa", "phpmyadmin", "pma", "server-info", "server-status", "solr", "web-inf",
        "webdav",
        "wordpress",
    ]

    /// Ends of paths: scripts and files that should never be public.
    static let suffixes = [
        ".asp", ".aspx", ".bak", ".cfm", ".cgi", ".env", ".ini", ".jsp", ".jspx", ".php", ".sql", ".yaml", ".yml",
    ]

    /// - Parameter path: Without the slash at the beginning, in any case.
    package static func contains(_ path: some StringProtocol) -> Bool {
        let path = path.lowercased()
        return names.contains(path) || folders.contains(String(path.prefix { $0 != "/" }))
            || prefixes.contains(where: path.hasPrefix) || suffixes.contains(where: path.hasSuffix)
            // Hidden files: `.env`, `.git/config`, `app/.aws/credentials`.
            || path.hasPrefix(".") || path.contains("/.")
    }

    /// - Parameter address: Host and path.
    package static func contains(address: String) -> Bool {
        guard let slash = address.firstIndex(of: "/") else { return false }
        return contains(address[address.index(after: slash)...])
    }
}
