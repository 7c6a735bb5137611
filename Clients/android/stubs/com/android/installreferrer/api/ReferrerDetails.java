package com.android.installreferrer.api;

public class ReferrerDetails {
    private final String referrer;

    ReferrerDetails(String referrer) {
        this.referrer = referrer;
    }

    public String getInstallReferrer() {
        return referrer;
    }
}
