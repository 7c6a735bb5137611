import Testing
import WaymarkClient
import WaymarkImports

@testable import waymark

/// How doctor follows redirects, and judges them.
@Suite struct DoctorRedirectTests {
    private static let start = "https://go.example.com/"

    private static func trace(_ locations: [String: String?], status: Int = 200) async -> RedirectTrace {
        await RedirectTrace.follow(start, as: .iphone) { url in
            guard let location = locations[url] else {
                return url.contains("away")
                    ? .failure(FetchProblem(sentence: "no answer")) : .success(.init(status: status))
            }
            return .success(.init(status: 302, location: location))
        }
    }

    @Test(
        arguments: [
            ([:], RedirectTrace.End.arrived(status: 200), DoctorFinding.State.ok),
            ([start: "https://shop.example.com/a"], .arrived(status: 200), .ok),
            ([start: "/a", "https://go.example.com/a": "/b"], .arrived(status: 200), .ok),
            ([start: "itms-apps://apps.apple.com/app/id1"], .left, .ok),
            ([start: "https://go.example.com/"], .loop, .finding),
            ([start: "/a", "https://go.example.com/a": "/"], .loop, .finding),
            ([start: "http://shop.example.com/"], .insecure, .finding),
            ([start: nil], .malformed(""), .finding),
            ([start: "https://away.example.com/"], .unknown("no answer"), .ok),
        ] as [([String: String?], RedirectTrace.End, DoctorFinding.State)])
    func followsRedirects(locations: [String: String?], end: RedirectTrace.End, state: DoctorFinding.State) async {
        let trace = await Self.trace(locations)
        #expect(trace.end == end)
        #expect(RedirectCheck.findings([trace]).map(\.state) == [state])
    }

    @Test func endsAfterTooManyRedirects() async {
        let trace = await RedirectTrace.follow(Self.start, as: .android) { url in
            .success(.init(status: 302, location: url + "x"))
        }
        #expect(trace.end == .tooMany)
        #expect(trace.urls.count == RedirectTrace.limit + 1)
        #expect(RedirectCheck.findings([trace]).map(\.state) == [.finding])
    }

    @Test func reportsAFailureOfTheServer() async {
        let trace = await Self.trace([:], status: 503)
        #expect(RedirectCheck.findings([trace]).first?.state == .finding)
        let failed = RedirectTrace(device: .desktop, urls: [Self.start], end: .failed("it closed the connection"))
        #expect(RedirectCheck.findings([failed]).first?.detail == "desktop: it closed the connection")
    }

    @Test func judgesALinkOfTheHost() {
        func trace(_ status: Int, _ urls: [String] = ["https://go.example.com/a"]) -> RedirectTrace {
            RedirectTrace(device: .desktop, urls: urls, end: .arrived(status: status))
        }
        #expect(RedirectCheck.findings([trace(200)], ofLink: "/a").map(\.detail) == ["/a: all devices: 200"])
        #expect(RedirectCheck.findings([trace(404)], ofLink: "/a").map(\.state) == [.finding])
        #expect(
            RedirectCheck.findings([trace(404)], ofLink: "/a").map(\.detail) == ["/a: desktop: the link answers 404"])
        // A page of another site may refuse a program.
        let away = trace(403, ["https://go.example.com/a", "https://shop.example.com/"])
        #expect(RedirectCheck.findings([away], ofLink: "/a").map(\.state) == [.ok])
        #expect(RedirectCheck.findings([trace(404)]).map(\.state) == [.ok])
    }

    @Test func groupsTheSameProblemOfSeveralDevices() {
        let traces = [VisitDevice.iphone, .ipad].map {
            RedirectTrace(device: $0, urls: [Self.start, "http://a.example/"], end: .insecure)
        }
        let findings = RedirectCheck.findings(
            traces + [
                RedirectTrace(device: .desktop, urls: [Self.start], end: .arrived(status: 404))
            ])
        #expect(findings.map(\.detail) == ["iphone, ipad: a redirect downgrades https to http://a.example/"])
    }

    @Test func namesTheEndOfEachDevice() {
        func trace(_ device: VisitDevice, _ url: String) -> RedirectTrace {
            RedirectTrace(device: device, urls: [Self.start, url], end: .arrived(status: 200))
        }
        let same = RedirectCheck.findings([trace(.iphone, "https://a.example/"), trace(.android, "https://a.example/")])
        #expect(same.map(\.detail) == ["all devices: https://a.example/"])
        let other = RedirectCheck.findings([
            trace(.iphone, "https://a.example/"), trace(.android, "https://b.example/"),
        ])
        #expect(other.map(\.detail) == ["iphone: https://a.example/, android: https://b.example/"])
        #expect(RedirectCheck.findings([]).map(\.state) == [.skipped])
    }
}

extension HTTPResponse {
    fileprivate init(status: Int, location: String?) {
        self.init(status: status, fields: location.map { [("Location", $0)] } ?? [])
    }
}
