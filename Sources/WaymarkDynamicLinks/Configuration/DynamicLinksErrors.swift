import Foundation
import WaymarkKit

/// The domain of errors of `DynamicLinks`: `com.firebase.dynamicLinks`, as in Firebase's SDK. The code is one of
/// `DynamicLinksErrorCode`, or the status of the service's response (404 for an unknown link, 410 for an expired one).
///
/// Without a network, the error is of `NSURLErrorDomain`, as from Firebase's SDK. The `WaymarkClientError` behind an
/// error is its `NSUnderlyingErrorKey`.
public let DynamicLinksErrorDomain = "com.firebase.dynamicLinks"

/// The domain of errors of `DynamicLinkComponents`: `com.firebase.durabledeeplink`, as in Firebase's SDK. The code is
/// 0. `userInfo` has the service's `remoteStatus` (such as `INVALID_ARGUMENT`) and `remoteErrorCode`.
public let DynamicLinkComponentsErrorDomain = "com.firebase.durabledeeplink"

/// Codes of errors in `DynamicLinksErrorDomain`.
public enum DynamicLinksErrorCode: Int, Sendable {
    /// The service's response could not be read.
    case other = 0
    /// The URL is not a link of the app's domains.
    case unrecognizedURL = 1
    /// There is no client: `DynamicLinks.configure(client:)` was not called, and Info.plist lacks settings.
    case notConfigured = 2
}

/// A failure as the `NSError` that apps receive.
struct DynamicLinksFailure {
    let error: NSError

    /// - Parameter reason: a sentence.
    init(_ code: DynamicLinksErrorCode, _ reason: String) {
        error = Self.error(DynamicLinksErrorDomain, code.rawValue, reason)
    }

    /// - Parameter url: the link that was to be resolved.
    init(_ failure: WaymarkClientError, of url: DeepLinkURL?) {
        if let network = Self.networkError(failure) {
            error = network
            return
        }
        let code =
            switch failure {
            case .refused(let problem, _): problem.status
            case .unexpectedAnswer(let status, _) where !(200..<300).contains(status): status
            default: DynamicLinksErrorCode.other.rawValue
            }
        let subject = url.map { "\($0.textWithoutQuery) could not be resolved: " } ?? ""
        error = Self.error(DynamicLinksErrorDomain, code, subject + failure.description + ".", failure)
    }

    /// The error that `URLSession` has for a failure of the network; nil for other failures.
    static func networkError(_ failure: WaymarkClientError) -> NSError? {
        let code: Int? =
            switch failure {
            case .offline: NSURLErrorNotConnectedToInternet
            case .timedOut: NSURLErrorTimedOut
            case .unreachable: NSURLErrorCannotConnectToHost
            case .notTrusted: NSURLErrorSecureConnectionFailed
            case .cancelled: NSURLErrorCancelled
            default: nil
            }
        return code.map { error(NSURLErrorDomain, $0, failure.description + ".", failure) }
    }

    static func error(
        _ domain: String, _ code: Int, _ reason: String, _ cause: WaymarkClientError? = nil,
        _ more: [String: Any] = [:]
    ) -> NSError {
        var information = more
        information[NSLocalizedDescriptionKey] = reason
        information[NSLocalizedFailureReasonErrorKey] = reason
        if let cause { information[NSUnderlyingErrorKey] = cause }
        return NSError(domain: domain, code: code, userInfo: information)
    }
}

extension DeepLinkURL {
    /// For errors, which apps log: queries have click IDs, which resolve the link for 30 days, and personal values.
    var textWithoutQuery: String {
        DeepLinkURL(scheme: scheme, authority: authority, path: path).text
    }
}
