import Testing

@testable import WaymarkSite

@Suite struct PreconditionTests {
    @Test(arguments: [
        (nil, Precondition.none), ("*", .exists), ("\"3\"", .versions([3])), ("\"3\", \"4\"", .versions([3, 4])),
        ("W/\"3\"", .versions([])), ("3", .versions([])), ("\"03\"", .versions([])), ("\"x\"", .versions([])),
        ("\"-3\"", .versions([])), ("", .versions([])), ("\"99999999999999999999\"", .versions([])),
    ])
    func readsEntityTags(value: String?, condition: Precondition) {
        #expect(Precondition(value) == condition)
    }

    @Test(arguments: [
        (Precondition.none, nil, Precondition.Expectation.version(nil)), (.none, 3, .version(nil)),
        (.exists, nil, .failed), (.exists, 3, .version(nil)), (.versions([3]), 3, .version(3)),
        (.versions([2, 3]), 3, .version(3)), (.versions([2]), 3, .failed), (.versions([3]), nil, .failed),
    ])
    func comparesVersions(condition: Precondition, current: Int?, expectation: Precondition.Expectation) {
        #expect(condition.expectation(current: current) == expectation)
    }
}
