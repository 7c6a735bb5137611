import Foundation
import Testing
import WaymarkJSON
import WaymarkKit

@testable import WaymarkDynamicLinks

@Suite struct ShorteningTests {
    private static let long = "https://go.example.com/?link=https%3A%2F%2Fa%2Eexample"

    private static func shorten(
        _ transport: RecordingTransport, _ length: ShortDynamicLinkPathLength = .default
    ) async throws -> ShortLinkResponse {
        try await ShortLinkRequest(longLink: try url(long), length: length).send(through: try transport.client())
    }

    @Test(arguments: [
        (ShortDynamicLinkPathLength.default, nil), (.short, "SHORT"), (.unguessable, "UNGUESSABLE"),
    ])
    func asksTheServiceForAShortLink(length: ShortDynamicLinkPathLength, option: String?) async throws {
        let transport = RecordingTransport(
            #"{"shortLink": "https://go.example.com/Ab3d", "previewLink": "https://go.example.com/Ab3d?d=1"}"#)
        let response = try await Self.shorten(transport, length)
        #expect(response.url.absoluteString == "https://go.example.com/Ab3d")
        #expect(response.warnings.isEmpty)
        let request = try #require(transport.requests.first)
        #expect(request.fields["Authorization"] == "Bearer wm_app")
        let body = try #require(transport.bodies(of: "/v1/shortLinks").first)
        #expect(body["longDynamicLink"]?.string == Self.long)
        #expect(body["suffix"]?["option"]?.string == option)
    }

    @Test func passesOnWarnings() async throws {
        let transport = RecordingTransport(
            """
            {"shortLink": "https://go.example.com/Ab3d",
             "warning": [{"warningCode": "X", "warningMessage": "One."}, {}, 3, {"warningMessage": "Two."}]}
            """)
        #expect(try await Self.shorten(transport).warnings == ["One.", "Two."])
    }

    @Test func passesOnTheServicesError() async throws {
        let transport = RecordingTransport(
            status: 400,
            #"{"error": {"code": 400, "message": "Parameter link is missing.", "status": "INVALID_ARGUMENT"}}"#)
        do {
            _ = try await Self.shorten(transport)
            Issue.record("there was no error")
        } catch let error as NSError {
            #expect(error.domain == "com.firebase.durabledeeplink" && error.code == 0)
            #expect(error.localizedFailureReason == "Parameter link is missing.")
            #expect(error.localizedDescription == "Parameter link is missing.")
            #expect(error.userInfo["remoteStatus"] as? String == "INVALID_ARGUMENT")
            #expect(error.userInfo["remoteErrorCode"] as? Int == 400)
        }
    }

    @Test(arguments: [
        RecordingTransport("{}"), RecordingTransport("<html>"), RecordingTransport(#"{"shortLink": 3}"#),
        RecordingTransport(status: 500, ""), RecordingTransport(status: 302, #"{"shortLink": "https://a.example"}"#),
        RecordingTransport(#"{"shortLink": ""}"#), RecordingTransport(.failure(.answerTooLarge)),
    ])
    func failsWithoutAShortLink(transport: RecordingTransport) async throws {
        do {
            _ = try await Self.shorten(transport)
            Issue.record("there was no error")
        } catch let error as NSError {
            #expect(error.domain == DynamicLinkComponentsErrorDomain)
            #expect(!error.localizedDescription.isEmpty)
        }
    }

    @Test func failsAsTheNetworkDoes() async throws {
        do {
            _ = try await Self.shorten(RecordingTransport(.failure(.offline)))
            Issue.record("there was no error")
        } catch let error as NSError {
            #expect(error.domain == NSURLErrorDomain && error.code == NSURLErrorNotConnectedToInternet)
        }
    }
}
