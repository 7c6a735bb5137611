import Foundation
import WaymarkDynamicLinks

/// Records the calls of a completion that is passed on as a value, so the compiler does not isolate it.
public final class CompletionLog {
    public var calls = 0
    public var callsBeforeReturn = 0
    public var hasReturned = false
    public var link: DynamicLink?
    public var error: Error?

    public init() {}

    /// - Parameter done: called at the first call. Traps if a call does not come on the main actor.
    public func handle(_ url: URL, _ dynamicLinks: DynamicLinks, done: @escaping () -> Void) -> Bool {
        let completion: (DynamicLink?, Error?) -> Void = { link, error in
            // On Linux the main queue may run on any thread.
            MainActor.preconditionIsolated()
            self.calls += 1
            if !self.hasReturned { self.callsBeforeReturn += 1 }
            self.link = link
            self.error = error
            if self.calls == 1 { done() }
        }
        return dynamicLinks.handleUniversalLink(url, completion: completion)
    }
}
