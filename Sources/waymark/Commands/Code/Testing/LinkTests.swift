import WaymarkAPI
import WaymarkBytes
import WaymarkClient
import WaymarkJSON
import WaymarkLinks
import WaymarkService

/// The tests of the files' links, asked of a server, or of a database in memory that has just these links. Both answer by
/// the code that answers visits.
struct LinkTests {
    struct Outcome: Sendable {
        struct Mismatch: Sendable {
            let member: String
            let expected: String
            let found: String
        }

        let address: String
        let expectation: LinkExpectation
        /// Empty: it passed.
        let mismatches: [Mismatch]
    }

    let api: any API
    /// The time of visits whose tests name none; nil: the time at which the server is asked.
    var now: Timestamp?

    /// - Throws: `CommandFailure` if a visit can't be asked about.
    func outcomes(_ files: CodeFiles) async throws -> [Outcome] {
        var outcomes: [Outcome] = []
        for link in files.links {
            for expectation in link.expectations {
                let answer = try await answer(expectation, link)
                outcomes.append(
                    Outcome(
                        address: link.address, expectation: expectation,
                        mismatches: try mismatches(expectation, answer)))
            }
        }
        return outcomes
    }

    private func answer(_ expectation: LinkExpectation, _ link: CodeLink) async throws -> JSONValue {
        let answer = try await api.sendPatiently(
            APIRequest(method: "POST", target: "/api/v1/explain", body: question(expectation, link).bytes()))
        func refusal(_ problem: String) -> CommandFailure {
            .usage("\(expectation.place.text): \(link.address) as \(expectation.name) \(problem)")
        }
        guard answer.isSuccess else {
            guard answer.status == 422, expectation.variant != nil else {
                throw CommandFailure.usage(APIFailure.sentence(answer))
            }
            let sentence = APIFailure.sentence(answer)
            throw refusal(
                sentence.contains("variant: is not a known field")
                    ? "can't be decided: the server is older than this program, and can't be asked about variants"
                    : "can't be decided: \(sentence)")
        }
        let value = (try? JSONValue(parsing: answer.body)) ?? .null
        if isChance(value, expectation) {
            throw refusal(
                """
                can't be decided: a rule with a percentage holds for some such visitors; name the rule and test it as \
                "variant", test another visitor, or remove the test
                """)
        }
        return value
    }

    /// Whether another such visitor may get another answer, so that the test would pass only sometimes.
    private func isChance(_ answer: JSONValue, _ expectation: LinkExpectation) -> Bool {
        if let variant = expectation.variant {
            // A rule without a name can't be tested as a variant. Of another variant it is known that the test fails.
            guard variant == nil, answer["variant"]?.string == nil, answer["rule"]?.string != nil else { return false }
            return (answer["candidates"]?.array ?? []).contains { candidate in
                candidate["taken"]?.bool == true && candidate["why"]?.string?.contains("percentage") == true
            }
        }
        return (answer["candidates"]?.array ?? []).contains { $0["why"]?.string?.contains("percentage") == true }
    }

    private func question(_ expectation: LinkExpectation, _ link: CodeLink) -> JSONValue {
        let path = (link.request.slug ?? "").split(separator: "/", omittingEmptySubsequences: false)
            .map { PercentEncoding.encode(String($0)) }.joined(separator: "/")
        var headers: JSONObject = ["User-Agent": JSONValue(expectation.visitor.userAgent)]
        if let language = expectation.language { headers["Accept-Language"] = JSONValue(language) }
        var body: JSONObject = [
            "url": JSONValue("https://\(link.request.domain ?? "")/\(path)"), "headers": JSONValue(headers),
        ]
        if let country = expectation.country { body["country"] = JSONValue(country) }
        if let time = expectation.time ?? now?.rfc3339 { body["at"] = JSONValue(time) }
        if let variant = expectation.variant { body["variant"] = variant.map { JSONValue($0) } ?? .null }
        return JSONValue(body)
    }

    private func mismatches(_ expectation: LinkExpectation, _ answer: JSONValue) throws -> [Outcome.Mismatch] {
        guard let target = answer["leadsTo"], let outcome = answer["outcome"]?.string else {
            throw CommandFailure.usage("the server is older than this program and can't be asked for link tests")
        }
        var found: [Outcome.Mismatch] = []
        func compare(_ member: String, _ expected: String, _ actual: String) {
            if expected != actual { found.append(.init(member: member, expected: expected, found: actual)) }
        }
        if let variant = expectation.variant {
            compare("variant", variant ?? "none", answer["variant"]?.string ?? "none")
        }
        switch expectation.leadsTo {
        case .url(let url):
            let target = target.string
            // As the URL of a link is stored.
            if target == nil || WebURL(url)?.text != target {
                compare("leadsTo", url, target ?? "nowhere (\(outcome))")
            }
        case .nowhere: compare("leadsTo", "nowhere", target.string ?? "nowhere")
        case nil: break
        }
        if let opens = expectation.opensApp {
            let isOpened = outcome == "openApp" || answer["association"]?["opens"]?.bool == true
            compare("opensApp", "\(opens)", "\(isOpened)")
        }
        if let expected = expectation.outcome { compare("outcome", expected, outcome) }
        return found
    }
}

extension LinkTests {
    /// A database in memory with what the files say, since 1970: a test may be of any time.
    ///
    /// - Throws: `CommandFailure` if the files can't be used.
    static func database(with files: CodeFiles) async throws -> LocalAPI {
        let api = try await LocalAPI(.inMemory, at: Timestamp(rawValue: 1))
        // The application of a new database would answer at hosts that the files' applications don't.
        _ = try await api.send(APIRequest(method: "DELETE", target: "/api/v1/apps/default"))
        for app in files.apps {
            let id = app.definition.application.id.text
            let answer = try await api.send(
                APIRequest(
                    method: "PUT", target: "/api/v1/apps/\(PercentEncoding.encode(id))", body: app.definition.document))
            guard answer.isSuccess else {
                throw CommandFailure.usage("\(app.place.text): \(APIFailure.sentence(answer))")
            }
        }
        var links = files.links[...]
        while !links.isEmpty {
            let batch = LinkBatch(&links) { $0.request.json }
            let answer = try await api.send(
                APIRequest(method: "POST", target: "/api/v1/links:batch", body: batch.body))
            guard answer.isSuccess else { throw CommandFailure.failed(APIFailure.sentence(answer)) }
            let results = (try? JSONValue(parsing: answer.body))?["results"]?.array ?? []
            for (link, result) in zip(batch.elements, results) {
                if let problem = APIFailure.sentence(result["problem"]) {
                    throw CommandFailure.usage("\(link.place.text): \(problem)")
                }
            }
        }
        return api
    }
}
