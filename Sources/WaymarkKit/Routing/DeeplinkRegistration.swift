/// What was added to a router and can be taken out again with `Deeplinking.remove(_:)`.
public struct DeeplinkRegistration: Sendable, Hashable {
    let number: Int
}
