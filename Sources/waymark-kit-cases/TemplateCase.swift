import WaymarkJSON
import WaymarkKitCompatibility

/// Finds the first of several templates that matches a URL.
enum TemplateCase {
    static func run(_ input: JSONValue) throws -> JSONObject {
        let templates = (input["templates"]?.array ?? []).map(template)
        let (url, options) = (try input.text("url"), options(input["options"]))
        var result = JSONObject()
        result["matchedIndex"] = .null
        for (index, template) in templates.enumerated() {
            guard let values = template.values(in: url, options: options) else { continue }
            result["matchedIndex"] = JSONValue(index)
            result["path"] = json(values.path)
            result["query"] = json(values.query)
            result["fragment"] = JSONValue(values.fragment)
            break
        }
        return result
    }

    private static func options(_ json: JSONValue?) -> DeepLinkMatchingOptions {
        var options = DeepLinkMatchingOptions()
        options.toleratesUndeclaredQuery = json?["toleratesUndeclaredQuery"]?.bool ?? false
        if json?["webHost"]?.string == "isLeftOut" { options.webHost = .isLeftOut }
        if let hosts = json?["webHost"]?.array { options.webHost = .isOneOf(Set(hosts.compactMap(\.string))) }
        return options
    }

    private static func template(_ json: JSONValue) -> DeepLinkTemplate {
        var template = DeepLinkTemplate()
        for part in (json["path"]?.array ?? []).compactMap(\.object?.members.first) {
            let name = part.value.string ?? ""
            template =
                switch part.name {
                case "term": template.term(name)
                case "int": template.int(named: name)
                case "double": template.double(named: name)
                case "bool": template.bool(named: name)
                default: template.string(named: name)
                }
        }
        return template.queryStringParameters(Set((json["query"]?.array ?? []).map(parameter)))
    }

    private static func parameter(_ json: JSONValue) -> DeepLinkTemplate.QueryStringParameter {
        let name = json["name"]?.string ?? ""
        return switch (json["type"]?.string, json["required"]?.bool ?? false) {
        case ("int", true): .requiredInt(named: name)
        case ("int", false): .optionalInt(named: name)
        case ("bool", true): .requiredBool(named: name)
        case ("bool", false): .optionalBool(named: name)
        case ("double", true): .requiredDouble(named: name)
        case ("double", false): .optionalDouble(named: name)
        case (_, true): .requiredString(named: name)
        case (_, false): .optionalString(named: name)
        }
    }

    private static func json(_ values: [String: any Sendable]) -> JSONValue {
        var object = JSONObject()
        for (name, value) in values {
            object[name] =
                switch value {
                case let value as Bool: JSONValue(value)
                case let value as Int: JSONValue(value)
                case let value as Double: JSONValue(value) ?? .null
                default: JSONValue(value as? String)
                }
        }
        return JSONValue(object)
    }
}
