/// The state of a link at a given time; the first that applies.
package enum LinkState: String, Sendable { case disabled, expired, exhausted, scheduled, active }
