package com.android.installreferrer.api;

public class ReferrerDetails {
    public String getInstallReferrer() {
        return "waymark=c1";
    }
}
