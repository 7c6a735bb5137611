import WaymarkClient

/// When to order a host's certificate. All times in seconds since 1970.
package struct RenewalPlan: Sendable, Equatable {
    /// Failed verifications of a host that authorities allow in an hour.
    static let validationLimit = 5
    static let validationPeriod: Int64 = 3_600
    /// Pauses after failures, in seconds: doubled from the first to the last, 12 hours.
    static let firstPause: Int64 = 60
    static let lastPause: Int64 = 12 * 3_600
    /// Seconds from a new certificate to the first look at its renewal information. An authority whose suggestions are
    /// always in the past gets one order an hour, not one a turn.
    static let informationDelay: Int64 = 3_600
    /// A later plan was made with a wrong clock and is ignored.
    static let horizon = Int64(HTTPResponse.longestWait) + lastPause

    /// When the certificate is to be renewed; nil without one.
    package let renewsAt: Int64?
    /// When the next order begins, at the earliest.
    package let nextAttempt: Int64

    /// - Parameter isReplaced: whether the certificate is to be replaced now, whatever its times.
    init(
        certificate: (notBefore: Int64, notAfter: Int64)?, state: HostState?, isReplaced: Bool = false, now: Int64
    ) {
        renewsAt = certificate.map { certificate in
            guard !isReplaced else { return min(certificate.notBefore, now) }
            return Self.renewal(
                notBefore: certificate.notBefore, notAfter: certificate.notAfter, suggested: state?.information?.moment)
        }
        let due = renewsAt ?? now
        guard let state, state.failures > 0, state.nextAttempt <= now + Self.horizon else {
            nextAttempt = due
            return
        }
        nextAttempt = max(due, state.nextAttempt)
    }

    /// A third of the lifetime before the end, or when the authority suggests; a tenth before the end at the latest.
    static func renewal(notBefore: Int64, notAfter: Int64, suggested: Int64?) -> Int64 {
        let lifetime = max(0, notAfter - notBefore)
        guard let suggested else { return notAfter - lifetime / 3 }
        return min(suggested, notAfter - lifetime / 10)
    }

    /// The pause after so many failures in a row.
    ///
    /// - Parameter random: from 0 up to 1. Up to a tenth is added, so that hosts don't return at the same time.
    static func pause(failures: Int, random: Double) -> Int64 {
        let doublings = min(max(failures - 1, 0), 16)
        let pause = min(firstPause << Int64(doublings), lastPause)
        return min(lastPause, pause + Int64(Double(pause) * 0.1 * min(max(random, 0), 1)))
    }
}

extension HostState {
    /// When the host may be verified again, given the failed verifications; 0: at any time.
    func validationAllowed(at now: Int64) -> Int64 {
        let recent = validations.filter { $0 > now - RenewalPlan.validationPeriod && $0 <= now }
        guard recent.count >= RenewalPlan.validationLimit else { return 0 }
        return recent[recent.count - RenewalPlan.validationLimit] + RenewalPlan.validationPeriod
    }

    /// When the first of the authorities may be asked; 0: at any time.
    func authorityAllowed(_ authorities: [ACMEAuthority], at now: Int64) -> Int64 {
        authorities.map { blockedUntil($0, at: now) }.min() ?? 0
    }

    /// Earliest time to contact the authority again; 0: any time.
    func blockedUntil(_ authority: ACMEAuthority, at now: Int64) -> Int64 {
        guard let until = blocked[authority.digest], until > now, until <= now + RenewalPlan.horizon else { return 0 }
        return until
    }

    mutating func recordValidation(at now: Int64) {
        validations = validations.filter { $0 > now - RenewalPlan.validationPeriod && $0 <= now } + [now]
    }

    mutating func recordFailure(_ detail: String, authorities: [ACMEAuthority], at now: Int64, random: Double) {
        failures += 1
        problem = Problem(at: now, detail: detail)
        blocked = blocked.filter { $0.value > now }
        nextAttempt = max(
            now + RenewalPlan.pause(failures: failures, random: random), validationAllowed(at: now),
            authorityAllowed(authorities, at: now))
    }

    /// Plans the next attempt for now, as far as the limits of the authorities allow it.
    mutating func retry(authorities: [ACMEAuthority], at now: Int64) {
        nextAttempt = max(now, validationAllowed(at: now), authorityAllowed(authorities, at: now))
    }

    mutating func recordSuccess(by kind: ChallengeKind, at now: Int64) {
        failures = 0
        nextAttempt = 0
        problem = nil
        blocked = [:]
        information = nil
        informationAt = now + RenewalPlan.informationDelay
        self.kind = kind
    }
}
