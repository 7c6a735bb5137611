import WaymarkJSON
import WaymarkKit

/// Splits a URL into its parts.
enum URLCase {
    static func run(_ input: JSONValue) throws -> JSONObject {
        let url = DeepLinkURL(try input.text("url"))
        let (plain, service) = url.separatingServiceParameters()
        var result = JSONObject()
        result["scheme"] = JSONValue(url.scheme)
        result["authority"] = JSONValue(url.authority)
        result["host"] = JSONValue(url.host)
        result["path"] = JSONValue(url.path)
        result["segments"] = JSONValue(url.segments.map { JSONValue(String($0)) })
        result["query"] = JSONValue(url.query)
        result["queryItems"] = JSONValue(
            url.queryItems.map { item in
                JSONValue([JSONValue(String(item.name)), JSONValue(item.value.map { String($0) })])
            })
        result["fragment"] = JSONValue(url.fragment)
        result["plain"] = JSONValue(plain.text)
        var parameters = JSONObject()
        parameters["clickID"] = JSONValue(service.clickID)
        parameters["smartlinkID"] = JSONValue(service.smartlinkID)
        parameters["needsMetadata"] = JSONValue(service.needsMetadata)
        result["service"] = JSONValue(parameters)
        if let scheme = input["scheme"]?.string { result["appLink"] = JSONValue(url.asAppLink(scheme: scheme).text) }
        return result
    }
}
