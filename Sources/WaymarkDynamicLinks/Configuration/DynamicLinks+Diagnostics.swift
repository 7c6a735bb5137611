import Foundation
import WaymarkKit

extension DynamicLinks {
    /// Checks the settings, without a request: for debugging.
    ///
    /// - Parameter completion: called once, on the main thread, with several lines of text, and whether an error was
    ///   found. Nil: the text is printed to the standard output. The text has no key.
    @preconcurrency
    public static func performDiagnostics(completion: (@MainActor (String, Bool) -> Void)? = nil) {
        let (text, hasErrors) = shared.diagnostics()
        guard let completion else {
            print(text)
            return
        }
        Task { @MainActor in completion(text, hasErrors) }
    }

    /// Checks the settings, without a request.
    ///
    /// - Returns: several lines of text, and whether an error was found.
    @discardableResult
    public static func performDiagnostics() async -> (String, Bool) {
        shared.diagnostics()
    }

    func diagnostics() -> (text: String, hasErrors: Bool) {
        let configuration = configuration
        let information = configuration.information
        var lines = ["---- WaymarkDynamicLinks diagnostics ----"]
        var errors = 0
        func fail(_ line: String) {
            errors += 1
            lines.append("ERROR: " + line)
        }
        lines.append("System: \(ProcessInfo.processInfo.operatingSystemVersionString)")
        lines.append("Bundle ID: \(information.bundleIdentifier ?? "none")")
        if let client = configuration.client {
            lines.append("Client: \(client)")
            if client.options.app == nil {
                lines.append("WARNING: The client has no application ID, so pending links can't be claimed.")
            }
            for host in configuration.domains.hosts.subtracting(client.domains).sorted() {
                lines.append(
                    "WARNING: ClientOptions.domains lacks \(host), so pending links on it can't be claimed.")
            }
        } else {
            fail(configuration.problem ?? "There is no client.")
        }
        lines.append("Link domains: \(configuration.domains)")
        if configuration.domains.isEmpty {
            fail("No link domain is known, so no universal link is handled.")
        }
        lines.append("URL schemes: \(configuration.urlSchemes.joined(separator: ", "))")
        if Set(information.urlSchemes.map { $0.lowercased() }).isDisjoint(with: configuration.urlSchemes) {
            fail("CFBundleURLTypes in Info.plist has none of these schemes, so the page of a link can't open the app.")
        }
        lines.append(Self.summary(errors))
        return (lines.joined(separator: "\n"), errors > 0)
    }

    private static func summary(_ errors: Int) -> String {
        switch errors {
        case 0: "No errors were found."
        case 1: "1 error was found."
        default: "\(errors) errors were found."
        }
    }
}
