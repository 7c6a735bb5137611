import Testing
import WaymarkAPI

@Suite struct ProblemTests {
    @Test func writesTheMembersOfRFC9457() {
        let problem = Problem(.slugTaken, "The slug spring is taken.")
        #expect(
            String(decoding: problem.json, as: UTF8.self)
                == #"{"type":"urn:waymark:problem:slug-taken","title":"The slug is taken","status":409,"#
                + #""detail":"The slug spring is taken."}"#)
    }

    @Test func listsFieldsWithStatus422() {
        let problem = Problem(invalid: [FieldProblem(field: "urls.web", problem: "must be an http or https URL")])
        #expect(
            String(decoding: problem.json, as: UTF8.self)
                == #"{"type":"urn:waymark:problem:invalid-fields","title":"Some fields are not valid","status":422,"#
                + #""detail":"One field is not valid.","#
                + #""errors":[{"field":"urls.web","problem":"must be an http or https URL"}]}"#)
    }

    @Test(arguments: ProblemType.allCases)
    func comesBackAsItWasSent(type: ProblemType) {
        let errors = type.status == 422 ? [FieldProblem(field: "a", problem: "is wrong")] : []
        let problem = Problem(type, "Something \"quoted\".", errors: errors)
        #expect(Problem(json: problem.json) == problem)
        #expect(problem.known == type)
        #expect((400...599).contains(problem.status))
        #expect(problem.type.wholeMatch(of: /urn:waymark:problem:[a-z]+(-[a-z]+)*/) != nil)
    }
}
