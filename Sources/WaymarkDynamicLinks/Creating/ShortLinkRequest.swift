import Foundation
import WaymarkJSON
import WaymarkKit

/// `POST /v1/shortLinks`, the service's form of Firebase's REST API.
struct ShortLinkRequest {
    let longLink: URL
    let length: ShortDynamicLinkPathLength

    private static let path = "/v1/shortLinks"

    private var body: [UInt8] {
        var object = JSONObject()
        object["longDynamicLink"] = JSONValue(longLink.absoluteString)
        let option: String? =
            switch length {
            case .default: nil
            case .short: "SHORT"
            case .unguessable: "UNGUESSABLE"
            }
        if let option {
            var suffix = JSONObject()
            suffix["option"] = JSONValue(option)
            object["suffix"] = JSONValue(suffix)
        }
        return JSONValue(object).bytes()
    }

    /// Throws `NSError`.
    func send(through client: WaymarkClient) async throws -> ShortLinkResponse {
        do {
            let response = try await client.exchange(Self.path, body)
            return try ShortLinkResponse(status: response.status, body: response.body)
        } catch let failure as WaymarkClientError {
            throw DynamicLinksFailure.networkError(failure)
                ?? ShortLinkResponse.failure(failure.description + ".", failure)
        }
    }
}

/// The response of `POST /v1/shortLinks`.
struct ShortLinkResponse {
    let url: URL
    /// Sentences.
    let warnings: [String]

    /// Throws `NSError` for a response without a short link.
    init(status: Int, body: [UInt8]) throws {
        let json = (try? JSONValue(parsing: body)) ?? .null
        guard (200..<300).contains(status), let text = json["shortLink"]?.string, let url = URL(string: text) else {
            throw Self.error(status: status, json["error"])
        }
        self.url = url
        warnings = (json["warning"]?.array ?? []).compactMap { $0["warningMessage"]?.string }
    }

    private static func error(status: Int, _ envelope: JSONValue?) -> NSError {
        guard let message = envelope?["message"]?.string else {
            return failure("The service's response (status \(status)) has no short link.")
        }
        var more: [String: Any] = ["remoteErrorCode": envelope?["code"]?.integer ?? status]
        more["remoteStatus"] = envelope?["status"]?.string
        return failure(message, nil, more)
    }

    static func failure(
        _ reason: String, _ cause: WaymarkClientError? = nil, _ more: [String: Any] = [:]
    ) -> NSError {
        DynamicLinksFailure.error(DynamicLinkComponentsErrorDomain, 0, reason, cause, more)
    }
}
