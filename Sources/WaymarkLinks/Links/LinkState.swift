/// The state of a link at a moment; the first that holds.
package enum LinkState: String, Sendable { case disabled, expired, exhausted, scheduled, active }
