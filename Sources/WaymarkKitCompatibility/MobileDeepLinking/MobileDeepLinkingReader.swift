import WaymarkJSON
import WaymarkKit

/// Reads a configuration and collects every problem.
struct MobileDeepLinkingReader {
    typealias Configuration = MobileDeepLinkingConfiguration

    private let document: JSONDocument
    private let dialect: MobileDeepLinkingDialect
    private let ignoresUnknownKeys: Bool
    private var problems: [MobileDeepLinkingProblem] = []
    private var warnings: [MobileDeepLinkingProblem] = []

    /// Limited because computing the line of a problem takes time linear in the length of the text.
    private static let problemLimit = 100

    init(
        _ json: [UInt8], dialect: MobileDeepLinkingDialect, ignoresUnknownKeys: Bool,
        repeatedMembers: Configuration.RepeatedMembers
    ) throws(MobileDeepLinkingConfigurationError) {
        do {
            document =
                switch repeatedMembers {
                case .refused: try JSONDocument(json)
                case .first: try JSONDocument(keepingFirstOfRepeatedMembersOf: json)
                case .last: try JSONDocument(keepingRepeatedMembersOf: json)
                }
        } catch {
            throw MobileDeepLinkingConfigurationError(problems: [
                MobileDeepLinkingProblem(line: error.line, column: error.column, path: "", problem: error.problem)
            ])
        }
        self.dialect = dialect
        self.ignoresUnknownKeys = ignoresUnknownKeys
        let counts = repeatedMembers == .first ? "the first counts" : "the last counts"
        for member in document.repeatedMembers.prefix(Self.problemLimit) {
            warn(about: member, at: [member.name], "stands twice in one object; \(counts)")
        }
    }

    mutating func configuration() throws(MobileDeepLinkingConfigurationError) -> Configuration {
        let root = object(document.root, at: [])
        allow(["logging", "storyboard", "defaultRoute", "routes"], in: root, at: [])
        let logging = flag(root["logging"], at: ["logging"])
        let storyboard = root["storyboard"].flatMap { self.storyboard($0, at: ["storyboard"]) }
        let defaultRoute = root["defaultRoute"].map { route($0, pattern: nil, at: ["defaultRoute"]).route }
        var routes: [MobileDeepLinkingRoute] = []
        if let value = root["routes"] {
            for member in object(value, at: ["routes"]).members {
                warnAboutSlashes(member)
                routes.append(route(member.value, pattern: member.name, at: ["routes", member.name]))
            }
        }
        guard problems.isEmpty else {
            problems.sort { $0.precedes($1) }
            throw MobileDeepLinkingConfigurationError(problems: problems)
        }
        return Configuration(
            logging: logging, storyboard: storyboard, defaultRoute: defaultRoute,
            matcher: MobileDeepLinkingMatcher(routes), warnings: warnings.sorted { $0.precedes($1) },
            dialect: dialect)
    }

    // MARK: Parts

    /// - Parameter pattern: nil for the default route, which takes no parameters.
    private mutating func route(
        _ value: JSONValue, pattern: String?, at path: [String]
    ) -> MobileDeepLinkingRoute {
        let members = object(value, at: path)
        var keys = ["class", "identifier", "storyboard", "handlers"]
        if pattern != nil { keys.append("routeParameters") }
        allow(keys, in: members, at: path)
        let className = string(members["class"], at: path + ["class"])
        let identifier = string(members["identifier"], at: path + ["identifier"])
        let storyboard = members["storyboard"].flatMap { self.storyboard($0, at: path + ["storyboard"]) }
        let handlers = names(members["handlers"], at: path + ["handlers"])
        var parameters: [Configuration.Parameter] = []
        var patterns: [String: Pattern] = [:]
        if pattern != nil, let value = members["routeParameters"] {
            let path = path + ["routeParameters"]
            for member in object(value, at: path).members {
                let (parameter, compiled) = parameter(member, at: path + [member.name])
                parameters.append(parameter)
                patterns[parameter.name] = compiled
            }
        }
        let route = Configuration.Route(
            pattern: pattern ?? "", className: className, identifier: identifier, storyboard: storyboard,
            handlers: handlers, parameters: parameters)
        return MobileDeepLinkingRoute(route, patterns: patterns)
    }

    private mutating func parameter(
        _ member: JSONObject.Member, at path: [String]
    ) -> (Configuration.Parameter, Pattern?) {
        let members = object(member.value, at: path)
        allow(["required", "regex"], in: members, at: path)
        var isRequired = flag(members["required"], at: path + ["required"])
        if dialect.ignoresBooleanRequired, members["required"]?.bool != nil { isRequired = false }
        let regex = string(members["regex"], at: path + ["regex"])
        var compiled: Pattern?
        if let regex, let value = members["regex"] {
            do {
                compiled = try Pattern(regex)
            } catch {
                reject(value, at: path + ["regex"], "\(error.problem) (character \(error.offset + 1))")
            }
        }
        return (Configuration.Parameter(name: member.name, isRequired: isRequired, regex: regex), compiled)
    }

    private mutating func storyboard(_ value: JSONValue, at path: [String]) -> Configuration.Storyboard? {
        let members = object(value, at: path)
        allow(["iPhone", "iPad"], in: members, at: path)
        return Configuration.Storyboard(
            iPhone: string(members["iPhone"], at: path + ["iPhone"]),
            iPad: string(members["iPad"], at: path + ["iPad"]))
    }

    private mutating func warnAboutSlashes(_ member: JSONObject.Member) {
        let parts = member.name[...].split(at: UInt8(ascii: "/"))
        guard parts.contains(where: \.isEmpty) else { return }
        warn(
            about: member, at: ["routes", member.name],
            "no URL matches a path with a slash first or last, or with two in a row")
    }

    private mutating func warn(about member: JSONObject.Member, at path: [String], _ problem: String) {
        guard warnings.count < Self.problemLimit else { return }
        let position = document.position(of: member)
        warnings.append(
            MobileDeepLinkingProblem(
                line: position.line, column: position.column, path: Self.text(path), problem: problem))
    }

    // MARK: Values

    private mutating func object(_ value: JSONValue, at path: [String]) -> JSONObject {
        if let object = value.object { return object }
        reject(value, at: path, "must be an object, not \(value.noun)")
        return JSONObject()
    }

    private mutating func string(_ value: JSONValue?, at path: [String]) -> String? {
        guard let value else { return nil }
        if let text = value.string { return text }
        reject(value, at: path, "must be a string, not \(value.noun)")
        return nil
    }

    private mutating func flag(_ value: JSONValue?, at path: [String]) -> Bool {
        guard let value else { return false }
        if let flag = value.bool { return flag }
        switch value.string {
        case "true": return true
        case "false": return false
        default:
            let noun = value.string == nil ? value.noun : "another string"
            reject(value, at: path, "must be true, false, \"true\" or \"false\", not \(noun)")
            return false
        }
    }

    private mutating func names(_ value: JSONValue?, at path: [String]) -> [String] {
        guard let value else { return [] }
        guard let elements = value.array else {
            reject(value, at: path, "must be an array of names, not \(value.noun)")
            return []
        }
        var names: [String] = []
        for (index, element) in elements.enumerated() {
            if let name = string(element, at: path + ["\(index + 1)"]) { names.append(name) }
        }
        return names
    }

    private mutating func allow(_ keys: [String], in object: JSONObject, at path: [String]) {
        guard !ignoresUnknownKeys else { return }
        for member in object.members where !keys.contains(member.name) {
            add(
                document.position(of: member), at: path + [member.name],
                "is not a known key; known are \(keys.joined(separator: ", "))")
        }
    }

    private mutating func reject(_ value: JSONValue, at path: [String], _ problem: String) {
        guard problems.count < Self.problemLimit else { return }
        add(document.position(of: value), at: path, problem)
    }

    private mutating func add(_ position: JSONPosition, at path: [String], _ problem: String) {
        guard problems.count < Self.problemLimit else { return }
        problems.append(
            MobileDeepLinkingProblem(
                line: position.line, column: position.column, path: Self.text(path), problem: problem))
    }

    private static func text(_ path: [String]) -> String {
        path.joined(separator: " > ")
    }
}
