import Foundation
import Testing
import WaymarkAPI
import WaymarkKitCompatibility

@testable import WaymarkKit

@Suite struct DeeplinkTests {
    @Test(arguments: [("a/:b", ["b"]), ("a/:bcd/:x/:b", ["bcd", "b"]), ("a", []), ("a/:x", [])])
    func namesTheMissingParameters(route: String, missing: [String]) {
        var names: [String] = []
        do throws(DeeplinkingError) {
            _ = try Deeplink(route: route, routeParameters: ["x": 1])
        } catch {
            if case .missingRouteParameters(let missing) = error { names = missing }
        }
        #expect(names == missing)
    }

    struct Offer: Decodable, Equatable {
        let coupon: String
        let amounts: [Int]
    }

    @Test func decodesMetadataIntoATypeOfTheApp() throws {
        let metadata = try DeeplinkMetadata(["coupon": "20", "amounts": [1, 2]])
        #expect(try metadata.decode(Offer.self) == Offer(coupon: "20", amounts: [1, 2]))
        #expect(throws: DecodingError.self) { try DeeplinkMetadata(["coupon": 20]).decode(Offer.self) }
    }

    @Test func printsItsURLEscapedAndSorted() throws {
        let deeplink = try Deeplink(
            route: "a/:id/:id2", routeParameters: ["id": "x y", "id2": 2.5],
            queryParameters: ["b": "1&2", "a": true])
        #expect(deeplink.url == "a/x%20y/2.5?a=true&b=1%262")
    }

    @Test func keepsMetadataOfEveryJSONKind() throws {
        let deeplink = try Deeplink(
            route: "a",
            metadata: [
                "string": "text", "number": 42, "small": UInt8(7), "double": 1.5, "flag": true,
                "null": Optional<Int>.none as Any, "nothing": NSNull(), "array": ["hi", 2, NSNull()] as [Any],
                "object": ["string": "another", "deep": ["x": [1, 2]]] as [String: Any],
            ])
        #expect(deeplink.metadataError == nil)
        #expect(
            deeplink.metadata?.json.text
                == #"{"array":["hi",2,null],"double":1.5,"flag":true,"nothing":null,"null":null,"number":42,"object":{"deep":{"x":[1,2]},"string":"another"},"small":7,"string":"text"}"#
        )
        #expect(deeplink.metadata?["object"]?["deep"]?["x"]?.array?.first?.integer == 1)
    }

    @Test func dropsMetadataThatIsNotJSONAndSaysWhy() throws {
        let values: [Any] = [
            Date(), Double.infinity, Double.nan, ["x": [Date()]] as [String: Any], Data(), Float.infinity,
        ]
        for value in values {
            let deeplink = try Deeplink(route: "a", metadata: ["fine": 1, "wrong": value])
            #expect(deeplink.metadata == nil)
            #expect(deeplink.metadataError == .invalidMetadata(member: "wrong"))
        }
        var nested: Any = 1
        for _ in 0..<40 { nested = [nested] }
        #expect(throws: DeeplinkingError.invalidMetadata(member: "nested")) { try DeeplinkMetadata(["nested": nested]) }
    }

    @Test func keepsWhatTheServiceSentByteByByte() throws {
        let json = try #require(RawJSON(Array(#"{ "b": 1e400, "a": 0.10, "n": 12345678901234567890 }"#.utf8)))
        let metadata = DeeplinkMetadata(json: json)
        #expect(metadata.json.text == #"{ "b": 1e400, "a": 0.10, "n": 12345678901234567890 }"#)
        #expect(metadata["a"]?.double == 0.1)
        #expect(metadata["b"]?.double == .infinity)
        #expect(metadata["n"]?.integer == nil)
    }

    @Test func `a deeplink is written as JSON`() throws {
        let made = try Deeplink(
            route: "a/:id", routeParameters: ["id": 1], queryParameters: ["q": "x"], metadata: ["m": [1]])
        #expect(
            made.json.text
                == #"{"route":"a/:id","routeParameters":{"id":"1"},"queryParameters":{"q":"x"},"metadata":{"m":[1]}}"#)
        #expect(
            Deeplink().json.text == #"{"route":null,"routeParameters":null,"queryParameters":{},"metadata":null}"#)
    }

    @Test func saysNothingPrivateAboutItself() throws {
        let deeplink = try Deeplink(route: "a/:id", routeParameters: ["id": "secret1"], metadata: ["coupon": "secret2"])
        #expect(!"\(deeplink)".contains("secret"))
    }

    @Test func tellsFlagsFromEmptyValuesAsTheDialectSays() {
        let url = DeepLinkURL("x://a?flag&empty=&a=1&a=2&b+c=d%2Be")
        let ios = RoutingDialect.ios.queryParameters(of: url)
        #expect(ios == ["flag": nil, "empty": "", "a": "2", "b c": "d+e"])
        #expect(ios.contains("flag"))
        #expect(ios["flag"] == nil)
        #expect(RoutingDialect.android.queryParameters(of: url) == ["flag": "", "empty": "", "a": "1", "b c": "d+e"])
        #expect(ios.names == ["a", "b c", "empty", "flag"])
    }
}
