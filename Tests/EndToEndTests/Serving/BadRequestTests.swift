import Testing
import WaymarkJSON

extension EndToEnd {
    /// Requests that are wrong before anybody looks at a body: targets, hosts, methods, keys, and bytes that are no HTTP.
    @Suite struct BadRequestTests {
        private static let requests: [(request: Request, status: Int)] = [
            (.get("/gift", host: "elsewhere.example"), 404),
            (.get("/gift", host: "GO.EXAMPLE.COM:8080"), 302),
            (.get("/Gift"), 404),
            (.get("/nothing"), 404),
            (.get("/../gift"), 404),
            (.get("/gift/../../etc/passwd"), 404),
            (.get("/_/../../Package.swift"), 404),
            (.get("/_/..%2f..%2fPackage.swift"), 404),
            (.get("/_/%2e%2e/%2e%2e/Package.swift"), 404),
            (.get("/gr%C3%BC%C3%9Fe"), 404),
            (.get("/gift?a=%0d%0aSet-Cookie:%20b=c"), 400),
            (.get("/gift?a=%00"), 400),
            (.get("/api/v1/nothing"), 404),
            (.api("GET", "/links", key: nil), 401),
            (.api("GET", "/links", key: "wm_00000000000000000000000000000000"), 401),
            (.api("GET", "/links", key: "nothing"), 401),
            (.api("PUT", "/links", "{}"), 405),
            (.api("DELETE", "/resolve"), 405),
            (.api("GET", "/links?limit=0"), 422),
            (.api("GET", "/links?limit=201"), 422),
            (.api("GET", "/links?cursor=nonsense"), 422),
            (.api("GET", "/links/go.example.com/nothing"), 404),
            (.api("GET", "/links/elsewhere.example/gift"), 404),
            (.api("POST", "/resolve", #"{"smartlink": "https://go.example.com/nothing"}"#), 404),
            (.api("POST", "/resolve", #"{"smartlink": "https://elsewhere.example/gift"}"#), 404),
            (.api("POST", "/resolve", #"{"clickID": "forged"}"#), 404),
            (.api("POST", "/resolve", #"{}"#), 422),
            (.api("POST", "/resolve", #"{"smartlink": "https://go.example.com/gift", "clickID": "a"}"#), 422),
            (.api("POST", "/resolve", #"{"smartlink": "https://go.example.com/gift", "platform": "symbian"}"#), 422),
            (.api("POST", "/links", "{}", idempotencyKey: "with a space"), 422),
            (.api("POST", "/links", "{}", idempotencyKey: String(repeating: "k", count: 256)), 422),
            (.api("POST", "/links", Shop.gift()), 409),
        ]

        @Test(arguments: EventLoops.all)
        func `an invalid request leaves the connection open`(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            let client = try server.connect()
            #expect(try client.exchange(.create(Shop.gift())).status == 201)
            for (request, status) in Self.requests {
                let answer = try client.exchange(request)
                #expect(answer.status == status, "\(request.method) \(request.target) \(request.host): \(answer)")
                #expect(answer["Set-Cookie"] == nil)
                if request.target.hasPrefix("/api/"), status >= 400 {
                    #expect(answer.problem != nil, "\(request.method) \(request.target): \(answer)")
                    #expect(answer["Cache-Control"] == "no-store")
                }
                if status == 405 { #expect(answer["Allow"] != nil) }
                if status == 401 { #expect(answer["WWW-Authenticate"]?.hasPrefix("Bearer") == true) }
            }
        }

        @Test func anotherContentTypeIs415() throws {
            let server = try Installation().start()
            for type in [
                "text/plain", "application/x-www-form-urlencoded", "application/jsonp",
                "multipart/form-data; boundary=a",
            ] {
                var request = Request.create(Shop.gift())
                request.fields = request.fields.filter { $0.name != "Content-Type" } + [("Content-Type", type)]
                let answer = try server.exchange(request)
                #expect(answer.status == 415, "\(type): \(answer)")
                #expect(answer.problem != nil)
            }
            var withCharset = Request.create(Shop.gift())
            withCharset.fields =
                withCharset.fields.filter { $0.name != "Content-Type" } + [
                    ("content-type", "Application/JSON; charset=utf-8")
                ]
            #expect(try server.exchange(withCharset).status == 201)
        }

        private static let notHTTP: [(bytes: String, status: Int)] = [
            ("GET /gift HTTP/1.1\r\n\r\n", 400),
            ("GET /gift HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400),
            ("GET /gift HTTP/1.1\r\nHost : go.example.com\r\n\r\n", 400),
            ("GET /gift HTTP/1.1\r\nHost: go.example.com\r\nX: a\u{0}b\r\n\r\n", 400),
            ("GET /gi ft HTTP/1.1\r\nHost: go.example.com\r\n\r\n", 400),
            ("GET /gift HTTP/2.0\r\nHost: go.example.com\r\n\r\n", 505),
            (
                "POST /api/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}",
                400
            ),
            ("POST /api/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: -2\r\n\r\n{}", 400),
            ("POST /api/v1/links HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}", 400),
            ("GET /\(String(repeating: "a", count: 100_000)) HTTP/1.1\r\nHost: a\r\n\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "a", count: 200_000))\r\n\r\n", 431),
            ("\u{16}\u{3}\u{1}\u{2}\u{0}\u{1}\u{0}\u{1}\u{FC}\u{3}\u{3}\r\n\r\n", 400),
        ]

        @Test(arguments: EventLoops.all)
        func `bytes that are not HTTP get one response and a close`(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            for (bytes, status) in Self.notHTTP {
                let client = try server.connect()
                do throws(Connection.Failure) {
                    try client.send(bytes)
                } catch {
                    #expect(error == .closed)
                }
                let answer = try client.receive()
                #expect(answer.status == status, "\(bytes.prefix(60)): \(answer)")
                #expect(answer["Connection"] == "close")
                #expect(try client.isClosed())
            }
            #expect(try server.exchange(.get("/readyz")).status == 200)
        }

        @Test(arguments: EventLoops.all)
        func requestsThatComeAllAtOnceAreAnsweredInOrder(eventLoop: String) throws {
            let server = try Installation().start(["--event-loop", eventLoop])
            #expect(try server.exchange(.create(Shop.gift())).status == 201)
            let requests: [(request: Request, status: Int)] = [
                (.get("/gift", userAgent: Browser.desktop), 302), (.get("/nothing"), 404),
                (.create(Shop.gift(slug: "second")), 201), (.api("GET", "/links/go.example.com/second"), 200),
                (.api("GET", "/links", key: nil), 401), (.get("/second", userAgent: Browser.iPhone), 200),
            ]
            let client = try server.connect()
            try client.send(requests.flatMap(\.request.bytes))
            for (request, status) in requests {
                #expect(try client.receive().status == status, "\(request.method) \(request.target)")
            }
        }
    }
}
