package com.android.installreferrer.api;

public interface InstallReferrerStateListener {
    void onInstallReferrerSetupFinished(int code);

    void onInstallReferrerServiceDisconnected();
}
