public import Foundation
import WaymarkKit

extension DynamicLinkComponents {
    /// Creates a short link with all parameters that are set. The same parameters and options give the same short
    /// link.
    ///
    /// - Parameter completion: called once, on the main thread, after this function has returned. It receives the
    ///   short link and the service's warnings, nil if there are none; or an error, see
    ///   `DynamicLinkComponentsErrorDomain`. A warning says which parameter was dropped, and why.
    @preconcurrency
    public func shorten(completion: @escaping @MainActor (URL?, [String]?, (any Error)?) -> Void) {
        Self.complete(url, options?.pathLength, completion)
    }

    /// Creates a short link with all parameters that are set.
    ///
    /// - Returns: the short link, and the service's warnings.
    @discardableResult
    nonisolated(nonsending) public func shorten() async throws -> (URL, [String]) {
        try await Self.shorten(url, options?.pathLength)
    }

    /// Creates a short link for a long link that was built elsewhere.
    ///
    /// - Parameters:
    ///   - url: a long link of one of the application's domains, at most 16,384 bytes.
    ///   - options: how it is shortened.
    ///   - completion: as of `shorten(completion:)`.
    @preconcurrency
    public static func shortenURL(
        _ url: URL, options: DynamicLinkComponentsOptions?,
        completion: @escaping @MainActor (URL?, [String]?, (any Error)?) -> Void
    ) {
        complete(url, options?.pathLength, completion)
    }

    /// Creates a short link for a long link that was built elsewhere.
    ///
    /// - Returns: the short link, and the service's warnings.
    @discardableResult
    nonisolated(nonsending) public static func shortenURL(
        _ url: URL, options: DynamicLinkComponentsOptions?
    ) async throws -> (URL, [String]) {
        try await shorten(url, options?.pathLength)
    }

    private static func complete(
        _ url: URL?, _ length: ShortDynamicLinkPathLength?,
        _ completion: @escaping @MainActor (URL?, [String]?, (any Error)?) -> Void
    ) {
        Task { @MainActor in
            do {
                let (short, warnings) = try await shorten(url, length)
                completion(short, warnings.isEmpty ? nil : warnings, nil)
            } catch {
                completion(nil, nil, error)
            }
        }
    }

    private static func shorten(
        _ url: URL?, _ length: ShortDynamicLinkPathLength?
    ) async throws -> (URL, [String]) {
        guard let url else { throw ShortLinkResponse.failure("There is no long link: domain is nil or not a URL.") }
        let configuration = DynamicLinks.dynamicLinks().configuration
        guard let client = configuration.client else { throw ShortLinkResponse.failure(configuration.problem ?? "") }
        let response = try await ShortLinkRequest(longLink: url, length: length ?? .default).send(through: client)
        return (response.url, response.warnings)
    }
}
