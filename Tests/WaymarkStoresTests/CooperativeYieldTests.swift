import Testing
import WaymarkStores

@Suite struct CooperativeYieldTests {
    @Test func yieldsUntilItIsSpent() {
        var budget = CooperativeYield(.milliseconds(1))
        var yields = 0
        for _ in 0..<10 {
            budget.spend {
                yields += 1
                let end = ContinuousClock.now + .milliseconds(2)
                while ContinuousClock.now < end {}
            }
        }
        #expect(yields == 1)
    }

    @Test func yieldsThatTakeNoTimeDoNotSpendIt() {
        var budget = CooperativeYield(.seconds(3_600))
        var yields = 0
        for _ in 0..<1_000 { budget.spend { yields += 1 } }
        #expect(yields == 1_000)
    }

    @Test func `an empty budget spends nothing`() {
        var budget = CooperativeYield(.zero)
        budget.spend { Issue.record("there is nothing left") }
    }
}
