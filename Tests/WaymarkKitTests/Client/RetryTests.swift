import Testing
import WaymarkAPI
import WaymarkKit

@Suite struct RetryTests {
    private let smartlink = ResolveRequest.Subject.smartlink("https://go.example.com/Ab3dE9x")

    @Test func asksAgainWithTheSameKeyUntilThereIsAnAnswer() async throws {
        let service = StandInTransport(faults: [
            .notSent(.unreachable("refused")), .answerLost(.timedOut), .answerLost(.unreachable("reset")),
        ])
        let clock = StandInClock()
        let client = try WaymarkClient.standIn(service, clock: clock)

        let answer = try await client.resolve(smartlink)

        #expect(answer.metadata?.text == #"{"coupon":"20"}"#)
        #expect(service.redeemed == 1)
        #expect(service.requests.count == 4)
        #expect(Set(service.keys).count == 1)
        #expect(service.keys.first != .some(nil))
        #expect(clock.waits.count == 3)
    }

    @Test func waitsLongerEachTimeAndNeverPreciselyAsLongAsOthers() async throws {
        let faults = Array(repeating: StandInTransport.Fault.notSent(.timedOut), count: 6)
        let clock = StandInClock()
        let client = try WaymarkClient.standIn(
            StandInTransport(faults: faults), clock: clock,
            options: ClientOptions(
                retry: RetryPolicy(attempts: 6, firstWait: .seconds(1), longestWait: .seconds(5)), sendsEvents: false))

        await #expect(throws: WaymarkClientError.timedOut) { try await client.resolve(smartlink) }

        for (wait, whole) in zip(clock.waits, [1, 2, 4, 5, 5]) {
            #expect(wait >= .seconds(whole) / 2 && wait <= .seconds(whole))
        }
        #expect(clock.waits.count == 5)
    }

    @Test(arguments: [429, 503])
    func waitsAsLongAsTheServiceAsks(status: Int) async throws {
        let problem = Problem(status == 429 ? .rateLimited : .overloaded, "Later.")
        let clock = StandInClock()
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(problem, retryAfter: "7"))])

        _ = try await WaymarkClient.standIn(service, clock: clock).resolve(smartlink)

        #expect(clock.waits == [.seconds(7)])
        #expect(Set(service.keys).count == 1)
    }

    @Test func readsADateToWaitFor() async throws {
        let clock = StandInClock()
        let answer = StandInTransport.refusal(
            Problem(.rateLimited, "Later."), retryAfter: "Sat, 21 Nov 2026 10:00:09 GMT")

        _ = try await WaymarkClient.standIn(StandInTransport(faults: [.answers(answer)]), clock: clock).resolve(
            smartlink)

        #expect(clock.waits == [.seconds(9)])
    }

    @Test func failsAtOnceWhereTheServiceAsksForTooMuch() async throws {
        let problem = Problem(.rateLimited, "Much later.")
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(problem, retryAfter: "3600"))])
        let clock = StandInClock()

        await #expect(throws: WaymarkClientError.refused(problem, retryAfter: .seconds(3600))) {
            try await WaymarkClient.standIn(service, clock: clock).resolve(smartlink)
        }
        #expect(clock.waits.isEmpty)
        #expect(service.requests.count == 1)
    }

    @Test func doesNotAskAgainWithoutANetwork() async throws {
        let service = StandInTransport(faults: [.notSent(.offline)])
        await #expect(throws: WaymarkClientError.offline) {
            try await WaymarkClient.standIn(service).resolve(smartlink)
        }
        #expect(service.requests.count == 1)
    }

    @Test(arguments: [ProblemType.linkUnknown, .linkExpired, .scopeMissing, .keyUnknown])
    func doesNotAskAgainWhereTheServiceSaidNo(type: ProblemType) async throws {
        let problem = Problem(type, "No.")
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(problem))])
        let client = try WaymarkClient.standIn(service)
        await #expect(throws: WaymarkClientError.refused(problem, retryAfter: nil)) {
            try await client.resolve(smartlink)
        }
        #expect(service.requests.count == 1)
    }

    @Test func namesTheFieldsThatAreWrong() async throws {
        let fields = [FieldProblem(field: "routeParameters.product_id", problem: "is missing")]
        let service = StandInTransport(faults: [.answers(StandInTransport.refusal(Problem(invalid: fields)))])
        let failure = await #expect(throws: WaymarkClientError.self) {
            try await WaymarkClient.standIn(service).createSmartlink(LinkRequest())
        }
        #expect(failure?.problem?.errors == fields)
        #expect(failure?.problem?.known == .invalidFields)
    }

    @Test(arguments: [
        TransportResponse(status: 200, fields: ["Content-Type": "text/html"], body: Array("<html>".utf8)),
        TransportResponse(status: 200, body: Array("{}".utf8)),
        TransportResponse(status: 302, fields: ["Location": "https://elsewhere.example"]),
        TransportResponse(status: 404, fields: ["Content-Type": "text/html"], body: Array("<html>".utf8)),
    ])
    func tellsAnotherServersAnswerApart(answer: TransportResponse) async throws {
        let client = try WaymarkClient.standIn(StandInTransport(faults: [.answers(answer)]))
        await #expect(throws: WaymarkClientError.unexpectedAnswer(status: answer.status, retryAfter: nil)) {
            try await client.resolve(smartlink)
        }
    }

    @Test func refusesAnAnswerThatIsTooLong() async throws {
        let long = TransportResponse(status: 200, body: Array(repeating: 0x20, count: 300 * 1_024))
        await #expect(throws: WaymarkClientError.answerTooLarge) {
            try await WaymarkClient.standIn(StandInTransport(faults: [.answers(long)])).resolve(smartlink)
        }
    }
}
