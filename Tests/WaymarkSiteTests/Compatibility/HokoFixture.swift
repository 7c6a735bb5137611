import Testing
import WaymarkJSON

@testable import WaymarkSite

/// An app that kept its HOKO SDK: the shop with HOKO's API, and keys of each platform.
extension SiteFixture {
    static let hokoShop = shop.replacing(
        #""name": "Shop","#, with: #""name": "Shop", "hoko": {"enabled": true, "lazy": true},"#)

    func token(_ platform: String?, _ scopes: [String] = ["links"], app: String? = "shop") async throws -> String {
        let platform = platform.map { #", "platform": "\#($0)""# } ?? ""
        let app = app.map { #", "app": "\#($0)""# } ?? ""
        let list = scopes.map { "\"\($0)\"" }.joined(separator: ",")
        let answer = try await call(
            "POST", "/api/v1/keys", #"{"name": "app", "scopes": [\#(list)]\#(platform)\#(app)}"#)
        try #require(answer.status == 201, "\(answer.text)")
        return try #require(answer.json["key"]?.string)
    }

    func hoko(
        _ method: String, _ path: String, _ body: String? = nil, token: String?
    ) async throws -> TestAnswer {
        try await client.send(
            TestRequest(
                method, path, host: "api.test",
                headers: token.map { [("Authorization", "Token \($0)")] } ?? [], body: body.map { Array($0.utf8) }))
    }

    /// The code of a new smart link.
    func hokoCode(_ body: String, token: String) async throws -> String {
        let answer = try await hoko("POST", "/v2/smartlinks", body, token: token)
        try #require(answer.status == 200, "\(answer.text)")
        return String(try #require(answer.json["smartlink"]?.string).split(separator: "/").last ?? "")
    }

    /// The id of a click on the link by an Android phone.
    func hokoClick(_ code: String) async throws -> String {
        let answer = try await visit("/\(code)", as: Agent.android)
        let location = try #require(answer[header: "Location"])
        let start = try #require(location.firstRange(of: "_hk_cid=")).upperBound
        return String(location[start...].prefix { $0.isLetter || $0.isNumber || $0 == "-" || $0 == "_" })
    }
}
