extension Link {
    package func state(at now: Timestamp) -> LinkState {
        if content.disabled { return .disabled }
        if let end = content.expiresAt, now >= end { return .expired }
        if let most = content.maxClicks, clicks >= most { return .exhausted }
        if let start = content.validFrom, now < start { return .scheduled }
        return .active
    }
}
