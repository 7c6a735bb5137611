import WaymarkJSON
import WaymarkKit
import WaymarkKitCompatibility

/// Opens a URL with a router.
@MainActor
enum RoutingCase {
    static func routes(_ input: JSONValue) throws -> JSONObject {
        var refused: [JSONValue] = []
        let deeplinking = Deeplinking(urlSchemes: schemes(input), dialect: dialect(input))
        map(input, in: deeplinking) { refused.append(JSONValue($0)) }
        var last: Deeplink?
        deeplinking.addFilter {
            last = $0
            return true
        }
        let opened = deeplinking.open(try input.text("url"))
        var result = JSONObject()
        result["refused"] = JSONValue(refused)
        result["mapped"] = JSONValue(deeplinking.mappedRoutes.map { JSONValue($0) })
        result["opened"] = JSONValue(opened)
        result["isCurrent"] = JSONValue(deeplinking.currentDeeplink != nil)
        let deeplink = last ?? deeplinking.currentDeeplink
        result["route"] = JSONValue(deeplink?.route)
        result["routeParameters"] = JSONValue((deeplink?.routeParameters ?? [:]).mapValues { $0 })
        result["queryParameters"] = json(deeplink?.queryParameters ?? [:])
        return result
    }

    static func resolve(_ input: JSONValue) async throws -> JSONObject {
        let device = try CaseClient(input)
        let deeplinking = Deeplinking(client: device.client, urlSchemes: schemes(input), dialect: dialect(input))
        map(input, in: deeplinking) { _ in }
        if input["holdsBack"]?.bool == true { deeplinking.addFilter { _ in false } }
        await deeplinking.open(resolving: try input.text("open"))
        var result = JSONObject()
        result["requests"] = device.network.requests
        result["opened"] = JSONValue(deeplinking.currentDeeplink?.wasOpened ?? false)
        result["deeplink"] = deeplinking.currentDeeplink.map(json) ?? .null
        result["events"] = device.events
        return result
    }

    static func explain(_ input: JSONValue) async throws -> JSONObject {
        let device = try CaseClient(input)
        let deeplinking = Deeplinking(client: device.client, urlSchemes: schemes(input), dialect: dialect(input))
        map(input, in: deeplinking) { _ in }
        let url = try input.text("explain")
        let asks = input["asks"]?.bool ?? false
        let explanation = asks ? await deeplinking.explain(resolving: url) : deeplinking.explain(url)
        var object = JSONObject()
        object["outcome"] = JSONValue(explanation.outcome.rawValue)
        object["why"] = JSONValue(explanation.why.rawValue)
        object["url"] = JSONValue(explanation.url?.text)
        object["route"] = JSONValue(explanation.route)
        object["routeParameters"] = JSONValue(explanation.routeParameters.mapValues { $0 })
        object["otherRoutes"] = JSONValue(explanation.otherRoutes.map { JSONValue($0) })
        object["error"] = JSONValue(explanation.errorCode)
        var result = JSONObject()
        result["explanation"] = JSONValue(object)
        result["requests"] = device.network.requests
        result["events"] = device.events
        return result
    }

    static func schemes(_ input: JSONValue) -> [String] {
        input["schemes"] == nil ? ["shop"] : input.texts("schemes")
    }

    static func dialect(_ input: JSONValue) -> RoutingDialect {
        switch input["dialect"]?.string {
        case "android": .android
        case "ios": .ios
        default: .standard
        }
    }

    private static func map(_ input: JSONValue, in deeplinking: Deeplinking, refused: (String) -> Void) {
        for format in input.texts("routes") {
            do { try deeplinking.map(format) { _ in } } catch { refused(format) }
        }
        if input["defaultRoute"]?.bool == true { try? deeplinking.mapDefault { _ in } }
    }

    static func json(_ deeplink: Deeplink) -> JSONValue {
        var object = JSONObject()
        object["url"] = JSONValue(deeplink.openedURL?.text)
        object["route"] = JSONValue(deeplink.route)
        object["routeParameters"] = JSONValue(deeplink.routeParameters.mapValues { $0 })
        object["queryParameters"] = json(deeplink.queryParameters)
        object["metadata"] = deeplink.metadata.flatMap { try? JSONValue(parsing: $0.json.bytes) } ?? .null
        object["clickID"] = JSONValue(deeplink.clickID)
        object["smartlink"] = JSONValue(deeplink.smartlink)
        object["isDeferred"] = JSONValue(deeplink.isDeferred)
        object["wasOpened"] = JSONValue(deeplink.wasOpened)
        object["error"] = JSONValue((deeplink.error as? WaymarkClientError)?.code)
        return JSONValue(object)
    }

    private static func json(_ parameters: QueryParameters) -> JSONValue {
        var object = JSONObject()
        for (name, value) in parameters { object[name] = JSONValue(value) }
        return JSONValue(object)
    }
}
