package com.android.installreferrer.api;

import android.content.Context;

public class InstallReferrerClient {
    public @interface InstallReferrerResponse {
        int OK = 0;
        int SERVICE_UNAVAILABLE = 1;
    }

    public static class Builder {
        public InstallReferrerClient build() {
            return new InstallReferrerClient();
        }
    }

    public static Builder newBuilder(Context context) {
        return new Builder();
    }

    public void startConnection(InstallReferrerStateListener listener) {}

    public void endConnection() {}

    public ReferrerDetails getInstallReferrer() throws android.os.RemoteException {
        return new ReferrerDetails();
    }
}
