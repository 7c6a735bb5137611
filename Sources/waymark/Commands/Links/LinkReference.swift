import WaymarkBytes
import WaymarkClient
import WaymarkJSON

/// A link as people type or paste it: `https://go.example.com/Ab3dE9x`, `go.example.com/Ab3dE9x` or `Ab3dE9x`.
struct LinkReference: Sendable, Equatable {
    /// Nil: the slug must be on one domain only.
    let domain: String?
    /// With slashes if it has several segments.
    let slug: String

    init(domain: String, slug: String) {
        self.domain = domain
        self.slug = slug
    }

    /// - Throws: `CommandFailure` for a text that can't be a link.
    init(_ text: String) throws {
        var rest = text[...]
        if let scheme = rest.firstRange(of: "://") { rest = rest[scheme.upperBound...] }
        let isURL = rest.startIndex != text.startIndex
        // What the address bar, a preview and a chat add.
        rest = rest.prefix { $0 != "?" && $0 != "#" }
        while rest.hasSuffix("/") || rest.hasSuffix("+") { rest.removeLast() }
        // The domain, then the slug, which may contain slashes.
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let isHost = isURL || Self.looksLikeHost(parts[0])
        guard parts.allSatisfy({ !$0.isEmpty }), parts.count == 2 || !isURL && !(isHost && text.contains("/")),
            isHost || parts.count == 1 || !parts[1].contains("/")
        else { throw CommandFailure.usage("\"\(text)\" is no link; give its URL, DOMAIN/SLUG or SLUG") }
        domain = parts.count == 2 ? parts[0] : nil
        slug = PercentEncoding.decodeWholeText(parts[parts.count - 1])
    }

    /// As people read it.
    var text: String { domain.map { "\($0)/\(slug)" } ?? slug }

    /// The link's path in the API.
    var target: String {
        "/api/v1/links/" + [domain, slug].compactMap { $0 }.map { PercentEncoding.encode($0) }.joined(separator: "/")
    }

    static func looksLikeHost(_ text: String) -> Bool {
        text == "localhost" || text.contains { ".:".contains($0) }
    }
}

extension API {
    /// The answer to a request about a link.
    ///
    /// - Parameter part: what follows the link's path, such as `/clicks?by=country`; the API has it behind DOMAIN/SLUG only.
    /// - Throws: `CommandFailure`; if the link does not exist, with links of similar addresses.
    func link(
        _ method: String, _ reference: LinkReference, part: String = "", _ body: JSONValue? = nil
    ) async throws -> JSONValue {
        let answer = try await linkResponse(method, reference, part: part, body)
        return answer.body.isEmpty ? JSONValue.null : (try? JSONValue(parsing: answer.body)) ?? .null
    }

    /// The same, as it was sent.
    func linkResponse(
        _ method: String, _ reference: LinkReference, part: String = "", _ body: JSONValue? = nil
    ) async throws -> HTTPResponse {
        let reference = part.isEmpty ? reference : try await located(reference)
        let answer = try await send(
            APIRequest(method: method, target: reference.target + part, body: body?.bytes()))
        guard !answer.isSuccess else { return answer }
        let sentence = APIFailure.sentence(answer)
        guard answer.status == 404, APIFailure.isUnknownLink(answer) else { throw CommandFailure.failed(sentence) }
        throw CommandFailure.failed(sentence + (await LinkSuggestions.question(reference, self)))
    }

    /// The URL of a link as it was typed: completed with `https`, and with the domain of a slug alone.
    func smartlink(_ text: String) async throws -> String {
        guard !text.contains("://") else { return text }
        let beginning = text.prefix { $0 != "/" }
        guard beginning.endIndex == text.endIndex || !LinkReference.looksLikeHost(String(beginning)) else {
            return "https://" + text
        }
        let found = try await link("GET", try LinkReference(text))
        return found["smartlink"]?.string ?? text
    }

    /// With the link's domain.
    func located(_ reference: LinkReference) async throws -> LinkReference {
        guard reference.domain == nil else { return reference }
        let found = try await link("GET", reference)
        return LinkReference(domain: found["domain"]?.string ?? "", slug: found["slug"]?.string ?? reference.slug)
    }
}

extension APIFailure {
    static func isUnknownLink(_ answer: HTTPResponse) -> Bool {
        ((try? JSONValue(parsing: answer.body))?["type"]?.string ?? "").hasSuffix("link-unknown")
    }
}
