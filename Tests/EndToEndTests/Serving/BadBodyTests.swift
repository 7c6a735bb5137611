import Testing
import WaymarkJSON

extension EndToEnd {
    /// Bodies that the interface must refuse, and say why. Each table goes over one connection: what is refused must not
    /// spoil what comes behind it.
    @Suite struct BadBodyTests {
        private static let notJSON: [String] = [
            "", "{", "{\"slug\": }", "{'slug': 'a'}", "{\"slug\": \"a\",}", "{\"slug\": \"a\"} {}", "\u{FEFF}{}",
            "{\"slug\": \"a\nb\"}", "{\"slug\": \"\\ud800\"}", "{\"slug\": \"a\", \"slug\": \"b\"}", "NaN",
            "{\"redeemLimit\": 01}", "{\"slug\": \"\u{0}\"}",
            String(repeating: "[", count: 100_000) + String(repeating: "]", count: 100_000),
        ]

        @Test func `a body that is not JSON gets 400`() throws {
            let client = try Installation().start().connect()
            for text in Self.notJSON {
                let answer = try client.exchange(.create(text))
                #expect(answer.status == 400, "\(text.prefix(40)): \(answer)")
                #expect(answer.problem != nil, "\(text.prefix(40)): \(answer)")
            }
            var notUTF8 = Request.create("{}")
            notUTF8.body = Array("{\"slug\": \"".utf8) + [0xC3, 0x28] + Array("\"}".utf8)
            #expect(try client.exchange(notUTF8).status == 400)
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
        }

        /// The members besides the route and its parameter, and the fields that the answer must name.
        private static let invalidMembers: [(members: String, fields: [String])] = [
            (#""colour": "red""#, ["colour"]),
            (#""slug": 7"#, ["slug"]),
            (#""slug": """#, ["slug"]),
            (#""slug": "api""#, ["slug"]), (#""slug": ".well-known""#, ["slug"]), (#""slug": "_""#, ["slug"]),
            (#""slug": "healthz""#, ["slug"]), (#""slug": "robots.txt""#, ["slug"]), (#""slug": "api""#, ["slug"]),
            (#""slug": "../admin""#, ["slug"]), (#""slug": "a//b""#, ["slug"]), (#""slug": "a b""#, ["slug"]),
            (#""slug": ".a""#, ["slug"]), (#""slug": "a.""#, ["slug"]), (#""slug": "grüße!""#, ["slug"]),
            (#""slug": "a\u0000b""#, ["slug"]), (#""slug": "a\r\nSet-Cookie: b=c""#, ["slug"]),
            (#""slug": "\#(String(repeating: "a", count: 129))""#, ["slug"]),
            (#""domain": "elsewhere.example""#, ["domain"]), (#""domain": "go.example.com\r\n""#, ["domain"]),
            (#""app": "nothing""#, ["app"]), (#""app": 1"#, ["app"]),
            (#""urls": {"web": "javascript:alert(1)"}"#, ["urls.web"]),
            (#""urls": {"web": "data:text/html,hello"}"#, ["urls.web"]),
            (#""urls": {"web": "shop://products"}"#, ["urls.web"]),
            (#""urls": {"web": "//evil.example"}"#, ["urls.web"]),
            (#""urls": {"web": "https://user:secret@shop.example.com/"}"#, ["urls.web"]),
            (#""urls": {"web": "https://shop.example.com/\r\nX-Evil: 1"}"#, ["urls.web"]),
            (#""urls": {"web": "https://shop.example.com/\u0000"}"#, ["urls.web"]),
            (#""urls": {"ios": "other://products"}"#, ["urls.ios"]),
            (#""urls": {"ios": "JavaScript:alert(1)"}"#, ["urls.ios"]),
            (#""urls": {"symbian": "https://shop.example.com/"}"#, ["urls.symbian"]),
            (#""urls": []"#, ["urls"]),
            (#""metadata": "coupon""#, ["metadata"]), (#""metadata": [1]"#, ["metadata"]),
            (#""metadata": {"a": "\#(String(repeating: "a", count: 16_384))"}"#, ["metadata"]),
            (#""redeemLimit": -1"#, ["redeemLimit"]), (#""redeemLimit": 1.5"#, ["redeemLimit"]),
            (#""redeemLimit": "1""#, ["redeemLimit"]), (#""redeemLimit": 1e400"#, ["redeemLimit"]),
            (#""maxClicks": 0"#, ["maxClicks"]), (#""expiresAt": "tomorrow""#, ["expiresAt"]),
            (#""validFrom": "2027-02-30T00:00:00Z""#, ["validFrom"]), (#""tags": "a""#, ["tags"]),
            (#""tags": [\#(Array(repeating: "\"a\"", count: 17).joined(separator: ","))]"#, ["tags"]),
            (#""disabled": "yes""#, ["disabled"]), (#""unique": 1"#, ["unique"]),
            (#""queryParameters": {"a": {}}"#, ["queryParameters.a"]),
            (#""queryParameters": "a=b""#, ["queryParameters"]),
            (#""social": {"imageURL": "javascript:alert(1)"}"#, ["social.imageURL"]),
            (#""slug": "api", "maxClicks": -1, "colour": 1"#, ["slug", "maxClicks", "colour"]),
        ]

        @Test func everyInvalidFieldIsNamed() throws {
            let client = try Installation().start().connect()
            for invalid in Self.invalidMembers {
                let body = #"{"route": "products/:product_id", "routeParameters": {"product_id": "42"}, "#
                let answer = try client.exchange(.create(body + invalid.members + "}"))
                #expect(answer.status == 422, "\(invalid.members.prefix(80)): \(answer)")
                #expect(answer.problem == "invalid-fields", "\(invalid.members.prefix(80)): \(answer)")
                #expect(Set(answer.problemFields) == Set(invalid.fields), "\(invalid.members.prefix(80)): \(answer)")
            }
            #expect(try client.exchange(.api("GET", "/links")).json["links"] == [])
        }

        private static let invalidRoutes: [(body: String, field: String)] = [
            (#"{}"#, "route"),
            (#"{"route": "nowhere/:id", "routeParameters": {"id": "1"}}"#, "route"),
            (#"{"route": "products/:product_id"}"#, "routeParameters.product_id"),
            (
                #"{"route": "products/:product_id", "routeParameters": {"product_id": "1", "x": "2"}}"#,
                "routeParameters.x"
            ),
            (
                #"{"route": "products/:product_id", "routeParameters": {"product_id": ""}}"#,
                "routeParameters.product_id"
            ),
            (
                #"{"route": "products/:product_id", "routeParameters": {"product_id": "."}}"#,
                "routeParameters.product_id"
            ),
            (
                #"{"route": "products/:product_id", "routeParameters": {"product_id": ".."}}"#,
                "routeParameters.product_id"
            ),
            (
                #"{"route": "products/:product_id", "routeParameters": {"product_id": null}}"#,
                "routeParameters.product_id"
            ),
            (
                #"{"route": "products/:product_id", "routeParameters": {"product_id": ["42"]}}"#,
                "routeParameters.product_id"
            ),
        ]

        @Test func everyInvalidRouteParameterIsNamed() throws {
            let client = try Installation().start().connect()
            for invalid in Self.invalidRoutes {
                let answer = try client.exchange(.create(invalid.body))
                #expect(answer.status == 422, "\(invalid.body): \(answer)")
                #expect(answer.problemFields.contains(invalid.field), "\(invalid.body): \(answer)")
            }
        }

        /// What a parameter may hold, and how it stands in a URL's path.
        private static let encoded: [(value: String, inPath: String)] = [
            (#""a b""#, "a%20b"), (#""a+b""#, "a%2Bb"), (#""../admin""#, "..%2Fadmin"),
            (#""a/b?c#d""#, "a%2Fb%3Fc%23d"),
            (#""Grüße""#, "Gr%C3%BC%C3%9Fe"), (#""\ud83c\udf81""#, "%F0%9F%8E%81"), (#""100%""#, "100%25"),
            (#"42"#, "42"), (#"4.20"#, "4.2"), (#"true"#, "true"), (#""<b>&'\"""#, "%3Cb%3E%26%27%22"),
        ]

        @Test func strangeValuesAreEncodedAsOneSegment() throws {
            let client = try Installation().start().connect()
            for (number, case_) in Self.encoded.enumerated() {
                let created = try client.exchange(
                    .create(
                        #"{"slug": "s\#(number)", "route": "products/:product_id", "routeParameters": {"product_id": \#(case_.value)}}"#
                    ))
                #expect(created.status == 201, "\(case_.value): \(created)")
                let visit = try client.exchange(.get("/s\(number)", userAgent: Browser.desktop))
                #expect(
                    visit["Location"]?.replacing("'", with: "%27")
                        == "https://shop.example.com/products/\(case_.inPath)",
                    "\(case_.value)")
                let page = try client.exchange(.get("/s\(number)", userAgent: Browser.iPhone))
                #expect(page.status == 200)
                #expect(!page.text.contains("<b>"))
            }
        }

        @Test(arguments: EventLoops.all)
        func aBodyOfTenMebibytesIsAnswered413(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            var request = Request.create("")
            request.body = Array(repeating: UInt8(ascii: " "), count: 10 << 20)
            let client = try server.connect()
            // The server may stop reading; its answer must be there all the same.
            do throws(Connection.Failure) {
                try client.send(request.bytes)
            } catch {
                #expect(error == .closed)
            }
            let answer = try client.receive()
            #expect(answer.status == 413)
            #expect(answer.problem != nil, "\(answer)")
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
        }

        @Test(arguments: EventLoops.all)
        func aChunkedBodyOfTenMebibytesIsAnswered413(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            var request = Request.create("")
            request.body = nil
            request.fields.append(("Transfer-Encoding", "chunked"))
            let client = try server.connect()
            let chunk =
                Array("10000\r\n".utf8) + Array(repeating: UInt8(ascii: " "), count: 65_536) + Array("\r\n".utf8)
            do throws(Connection.Failure) {
                try client.send(request.head)
                for _ in 0..<160 { try client.send(chunk) }
                try client.send("0\r\n\r\n")
            } catch {
                #expect(error == .closed)
            }
            #expect(try client.receive().status == 413)
            #expect(try server.exchange(.get("/readyz")).status == 200)
        }
    }
}
