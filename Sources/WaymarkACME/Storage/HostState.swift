import WaymarkJSON

/// The document of a host's progress: `state/<host>`. It outlives restarts, and all servers respect it.
struct HostState: Sendable, Equatable {
    struct Problem: Sendable, Equatable {
        /// In seconds since 1970.
        let at: Int64
        let detail: String
    }

    /// Failed attempts since the last certificate.
    var failures = 0
    /// No attempt before this moment after a failure, in seconds since 1970.
    var nextAttempt: Int64 = 0
    /// The last failure; nil after a success.
    var problem: Problem?
    /// When authorities could not verify the host, within the last hour; oldest first.
    var validations: [Int64] = []
    /// Earliest time to contact an authority again, in seconds since 1970, by `ACMEAuthority.digest`.
    var blocked: [String: Int64] = [:]
    /// The kind of challenge that worked last.
    var kind: ChallengeKind?
    var information: RenewalInformation?
    /// No renewal information is asked for before this moment, in seconds since 1970.
    var informationAt: Int64 = 0
    /// When a certificate of the host was last revoked, in seconds since 1970; 0: never.
    var revokedAt: Int64 = 0
    var revocation: PendingRevocation?

    init() {}

    /// Nil if the document can't be decoded.
    init?(_ json: [UInt8]) {
        guard let value = try? JSONValue(parsing: json), let failures = value["failures"]?.integer,
            let nextAttempt = value["nextAttempt"]?.integer
        else { return nil }
        self.failures = max(0, failures)
        self.nextAttempt = Int64(nextAttempt)
        if let problem = value["problem"], let at = problem["at"]?.integer, let detail = problem["detail"]?.string {
            self.problem = Problem(at: Int64(at), detail: detail)
        }
        validations = value["validations"]?.times ?? []
        blocked = value["blocked"]?.timesByName ?? [:]
        kind = value["kind"]?.string.flatMap(ChallengeKind.init)
        information = value["renewalInformation"].flatMap(RenewalInformation.init)
        informationAt = Int64(value["informationAt"]?.integer ?? 0)
        revocation = value["revocation"].flatMap(PendingRevocation.init)
        revokedAt = Int64(value["revokedAt"]?.integer ?? 0)
    }

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("failures", failures)
        writer.member("nextAttempt", Int(nextAttempt))
        if let problem {
            writer.name("problem")
            writer.beginObject()
            writer.member("at", Int(problem.at))
            writer.member("detail", problem.detail)
            writer.endObject()
        }
        writer.times("validations", validations)
        writer.times("blocked", blocked)
        writer.member("informationAt", Int(informationAt))
        writer.member("revokedAt", Int(revokedAt))
        if let revocation {
            writer.name("revocation")
            revocation.write(to: &writer)
        }
        if let kind { writer.member("kind", kind.rawValue) }
        if let information {
            writer.name("renewalInformation")
            information.write(to: &writer)
        }
        writer.endObject()
        return writer.bytes
    }
}
