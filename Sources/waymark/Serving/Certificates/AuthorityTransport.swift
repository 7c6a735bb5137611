import Foundation
import WaymarkACME
import WaymarkHTTP

/// Exchanges requests with certificate authorities.
struct AuthorityTransport: ACMETransport {
    /// Time limit of an exchange, in seconds.
    private static let patience = 30

    /// By URL of an authority's directory: the PEM file of a private authority.
    private let files: [String: String]
    private let userAgent: String

    init(_ authorities: [ACMESetting.Authority], userAgent: String) {
        var files: [String: String] = [:]
        for authority in authorities {
            files[authority.directory] = authority.authority?.path
        }
        self.files = files
        self.userAgent = userAgent
    }

    func send(_ request: ACMERequest) async throws(ACMETransportError) -> ACMEResponse {
        let client = HTTPClient(
            patience: Self.patience, bodyLimit: request.bodyLimit,
            authority: request.directory.flatMap { files[$0] })
        let message = HTTPClient.Request(
            method: request.method.rawValue, url: request.url,
            fields: request.fields + [("User-Agent", userAgent)],
            body: request.method == .post ? request.body : nil)
        do throws(HTTPClient.Failure) {
            let answer = try await client.answer(to: message)
            guard !answer.isCutOff else {
                throw .unreadable(.tooLarge, host: Self.host(of: request.url) ?? "the authority")
            }
            return ACMEResponse(
                status: answer.response.status, fields: answer.response.fields, body: answer.response.body)
        } catch {
            throw ACMETransportError(reason: error.sentence)
        }
    }

    private static func host(of url: String) -> String? { URLComponents(string: url)?.encodedHost?.lowercased() }
}
