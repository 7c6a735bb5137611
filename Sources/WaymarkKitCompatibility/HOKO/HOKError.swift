import Foundation
import WaymarkKit

/// The SDK's errors: domain `Hoko` with the SDK's numbers for those of the app, `HokoServerError` with the numbers of
/// HOKO's REST API for those of the service. The original error is in `NSUnderlyingErrorKey`.
enum HOKError {
    static let domain = "Hoko"
    static let serverDomain = "HokoServerError"
    /// `setupWithToken` was called more than once.
    static let setupTwice = 2
    /// No URL scheme is in Info.plist.
    static let noURLSchemes = 3
    /// The service could not be reached.
    private static let unreachable = 9

    private static let isVerbose = LockedValue(false)

    static func setVerbose(_ isVerbose: Bool) {
        self.isVerbose.withLock { $0 = isVerbose }
    }

    /// Logs the error if the app called `Hoko.setVerbose(true)`. Texts of errors have routes' formats and no values.
    @discardableResult
    static func log(_ error: any Error) -> NSError {
        let error = nsError(error)
        if isVerbose.withLock({ $0 }) {
            NSLog("%@", "HOKO: \(error.localizedDescription) (\(error.domain) \(error.code))")
        }
        return error
    }

    static func error(_ code: Int, _ description: String) -> NSError {
        NSError(domain: domain, code: code, userInfo: [NSLocalizedDescriptionKey: description])
    }

    static func nsError(_ error: any Error) -> NSError {
        let domain: String
        let code: Int
        switch error {
        case let error as DeeplinkingError: (domain, code) = (self.domain, error.hokoCode)
        case let error as WaymarkClientError:
            if let problem = error.problem {
                (domain, code) = (serverDomain, serverCode(problem.status))
            } else {
                (domain, code) = (self.domain, unreachable)
            }
        default:
            let error = error as NSError
            if error.domain == self.domain { return error }
            (domain, code) = (self.domain, unreachable)
        }
        return NSError(
            domain: domain, code: code,
            userInfo: [NSLocalizedDescriptionKey: error.localizedDescription, NSUnderlyingErrorKey: error])
    }

    /// The number that HOKO's REST API has for an HTTP status.
    private static func serverCode(_ status: Int) -> Int {
        switch status {
        case 400: 2
        case 401: 3
        case 403: 11
        case 404, 410: 7
        case 409: 10
        case 422: 9
        default: 6
        }
    }
}
