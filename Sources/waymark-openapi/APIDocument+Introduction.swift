import WaymarkJSON
import WaymarkSite

// What stands in front of the calls.
extension APIDocument {
    /// The version is that of the program; a test compares them.
    static let info: JSONValue = [
        "title": "Waymark", "version": "0.3.0",
        "summary": "Smart links: one URL that leads everyone to the right place.",
        "description":
            """
        Every answer under `/api` is `Cache-Control: no-store`; every error is `application/problem+json` (RFC \
        9457). A method that a path does not know is 405 with `Allow`. Where an admin listener is set, `/metrics`, \
        `/api/v1/apps`, `/api/v1/keys` and the tools under `/_/` answer only there.

        Every answer under `/api/` has `X-Request-ID`: the caller's, where it sent one of 1 to 128 visible ASCII \
        characters, else a new one; the access log has it too. An answer that is given again, for the same \
        `Idempotency-Key` or to the installation that claimed a link, has `Idempotent-Replayed: true`. Types of \
        problem are explained at `/_/problems`.
        """,
    ]

    static let tags = JSONValue(
        APIOperation.Tag.allCases.map { tag in
            var json: JSONObject = ["name": JSONValue(tag.rawValue)]
            json["description"] = description(of: tag).map { JSONValue($0) }
            return JSONValue(json)
        })

    private static func description(of tag: APIOperation.Tag) -> String? {
        switch tag {
        case .webhooks:
            """
            Events sent to other services, as Standard Webhooks 1.0.0 says: at least once, signed, attempted ten times \
            within four days. The section `webhooks` has the messages.
            """
        case .firebase:
            """
            Google's REST API, for apps and back ends that were written for Firebase. Served where an application has \
            `firebase.enabled`; elsewhere these paths are 404. The key is `?key=`, `X-Goog-Api-Key` or `Authorization: \
            Bearer`: one of the application's `firebase.apiKeys`, or a Waymark key. Names are read in camelCase and \
            snake_case, numbers as text too; unknown members and parameters are ignored.
            """
        case .hoko:
            "HOKO's REST API, version 2. Each path also ends in `.json` or a slash."
        default: nil
        }
    }

    static let securitySchemes: JSONValue = [
        "key": [
            "type": "http", "scheme": "bearer",
            "description":
                """
            `wm_` and 32 or more base62 characters, or the text that an administrator gave the key. Scopes: \
            `resolve`; `create`; `read` (reads, lists, statistics, explain); `links` (includes the three); `admin` \
            (includes all).
            """,
        ],
        "hokoToken": [
            "type": "apiKey", "in": "header", "name": "Authorization",
            "description": "`Token` and a key that has a platform, as HOKO's SDKs send it.",
        ],
    ]
}
