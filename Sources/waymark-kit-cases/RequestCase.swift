import WaymarkAPI
import WaymarkJSON
import WaymarkKit

/// Calls of the service without a router.
enum RequestCase {
    static func create(_ input: JSONValue) async throws -> JSONObject {
        var result = JSONObject()
        let deeplink: Deeplink
        do {
            deeplink = try link(input)
        } catch DeeplinkingError.missingRouteParameters(let names) {
            result["missing"] = JSONValue(names.map { JSONValue($0) })
            return result
        } catch DeeplinkingError.invalidRouteParameters(let names) {
            result["invalid"] = JSONValue(names.map { JSONValue($0) })
            return result
        }
        let device = try CaseClient(input)
        result["url"] = JSONValue(deeplink.url)
        result["outcome"] = await outcome(&result) { result async throws(WaymarkClientError) in
            result["smartlink"] = JSONValue(try await device.client.createSmartlink(deeplink.linkBody))
        }
        result["requests"] = device.network.requests
        return result
    }

    private static func link(_ input: JSONValue) throws -> Deeplink {
        let metadata = input["metadata"]?.object.map { object in
            Dictionary(object.members.map { ($0.name, $0.value.native) }) { _, last in last }
        }
        var urls: [DeeplinkPlatform: String] = [:]
        for (name, url) in input.dictionary("urls") {
            guard let platform = DeeplinkPlatform(rawValue: name) else { throw CaseFileError("\(name) is no platform") }
            urls[platform] = url
        }
        let (limit, isUnique) = (input["redeemLimit"]?.integer ?? 0, input["unique"]?.bool ?? false)
        guard let route = input["route"]?.string else {
            return Deeplink(
                queryParameters: input.dictionary("queryParameters"), metadata: metadata, redeemLimit: limit,
                isUnique: isUnique, urls: urls)
        }
        return try Deeplink(
            route: route, routeParameters: input.dictionary("routeParameters"),
            queryParameters: input.dictionary("queryParameters"), metadata: metadata, redeemLimit: limit,
            isUnique: isUnique, urls: urls)
    }

    static func retries(_ input: JSONValue) async throws -> JSONObject {
        let device = try CaseClient(input)
        let client = device.client
        let call = try input.text("call")
        if call == "flush" { client.recordOpen(clickID: "c1") }
        var result = JSONObject()
        for _ in 0..<(input["repeats"]?.integer ?? 1) {
            result["outcome"] = await outcome(&result) { result async throws(WaymarkClientError) in
                switch call {
                case "create":
                    var link = LinkRequest()
                    link.urls["web"] = URLEntryRequest("https://www.example.com/")
                    _ = try await client.createSmartlink(link)
                case "flush": try await client.flushEvents()
                default: _ = try await client.resolve(.smartlink("https://go.example.com/Ab3dE9x"))
                }
            }
        }
        result["attempts"] = JSONValue(device.network.attempts)
        result["waits"] = device.clock.waits
        result["keys"] = device.network.keys
        return result
    }

    static func deferred(_ input: JSONValue) async throws -> JSONObject {
        let device = try CaseClient(input)
        var result = JSONObject()
        for _ in 0..<(input["repeats"]?.integer ?? 1) {
            result["deferred"] = .null
            result["outcome"] = await outcome(&result) { result async throws(WaymarkClientError) in
                let deferred = try await device.client.claimDeferredDeeplink(
                    referrer: input["referrer"]?.string, clipboard: input["clipboard"]?.string)
                result["deferred"] = deferred.map(json) ?? .null
            }
        }
        result["requests"] = device.network.requests
        result["events"] = device.events
        return result
    }

    static func json(_ deferred: DeferredDeeplink) -> JSONValue {
        var object = JSONObject()
        object["deeplink"] = JSONValue(deferred.answer.deeplink)
        object["route"] = JSONValue(deferred.answer.route)
        object["routeParameters"] = JSONValue(deferred.answer.routeParameters.mapValues { $0 })
        object["queryParameters"] = JSONValue(deferred.answer.queryParameters.mapValues { $0 })
        object["metadata"] = deferred.metadata.flatMap { try? JSONValue(parsing: $0.json.bytes) } ?? .null
        object["match"] =
            switch deferred.match {
            case .referrer: JSONValue("referrer")
            case .clipboard: JSONValue("clipboard")
            case .other(let method): JSONValue(method)
            }
        object["clickID"] = JSONValue(deferred.clickID)
        return JSONValue(object)
    }

    static func events(_ input: JSONValue) async throws -> JSONObject {
        let device = try CaseClient(input)
        for event in input["record"]?.array ?? [] {
            device.clock.advance(by: event["after"]?.integer ?? 0)
            device.client.recordOpen(clickID: event["clickID"]?.string, smartlink: event["smartlink"]?.string)
        }
        var result = JSONObject()
        result["outcome"] = await outcome(&result) { result async throws(WaymarkClientError) in
            try await device.client.flushEvents()
        }
        let counts = device.client.eventCounts
        var object = JSONObject()
        object["waiting"] = JSONValue(counts.waiting)
        object["dropped"] = JSONValue(counts.dropped)
        object["refused"] = JSONValue(counts.refused)
        result["counts"] = JSONValue(object)
        result["batches"] = device.network.batches
        return result
    }
}

extension RequestCase {
    /// Makes the call and names its outcome; sets `status` and `problem` of a refusal, and removes those of an earlier
    /// call.
    private static func outcome(
        _ result: inout JSONObject, _ call: (inout JSONObject) async throws(WaymarkClientError) -> Void
    ) async -> JSONValue {
        result["status"] = nil
        result["problem"] = nil
        do throws(WaymarkClientError) {
            try await call(&result)
            return JSONValue("ok")
        } catch {
            if case .unexpectedAnswer(let status, _) = error { result["status"] = JSONValue(status) }
            if let problem = error.problem {
                result["status"] = JSONValue(problem.status)
                result["problem"] = JSONValue(problem.type.replacing("urn:waymark:problem:", with: ""))
            }
            return JSONValue(error.code)
        }
    }
}

extension JSONValue {
    /// The value as an app writes it.
    var native: Any {
        switch kind {
        case .null: Optional<String>.none as Any
        case .bool(let flag): flag
        case .number(let number): (number.integer as Any?) ?? number.double ?? 0
        case .string(let text): text
        case .array(let elements): elements.map(\.native)
        case .object(let object): Dictionary(object.members.map { ($0.name, $0.value.native) }) { _, last in last }
        }
    }
}
