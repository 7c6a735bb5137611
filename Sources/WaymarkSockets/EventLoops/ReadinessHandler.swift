/// What an event loop calls for a descriptor. Isolation: on the loop only.
package protocol ReadinessHandler: AnyObject {
    /// The descriptor is ready for what `readiness` says. May be spurious: a call may still find nothing.
    func ready(_ readiness: Interest)
    /// The deadline set for the registration has passed; it is unset by then.
    func deadlinePassed()
}
