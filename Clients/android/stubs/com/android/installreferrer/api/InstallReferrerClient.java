package com.android.installreferrer.api;

import android.content.Context;
import android.os.RemoteException;

public abstract class InstallReferrerClient {
    /** Not in Play's library: what the next client answers. */
    public static String referrer;
    /** Not in Play's library: the code of the next response. */
    public static int response;
    /** Not in Play's library: whether Play accepts the connection and then does nothing. */
    public static boolean isSilent;
    /** Not in Play's library: how often a client has connected. */
    public static int connections;
    /** Not in Play's library: how a connection fails at once. */
    public static RuntimeException refusal;

    public InstallReferrerClient() {}

    public @interface InstallReferrerResponse {
        int OK = 0;
        int SERVICE_DISCONNECTED = -1;
        int SERVICE_UNAVAILABLE = 1;
        int FEATURE_NOT_SUPPORTED = 2;
    }

    public static final class Builder {
        private Builder() {}

        public InstallReferrerClient build() {
            return new Answering();
        }
    }

    public static Builder newBuilder(Context context) {
        return new Builder();
    }

    public abstract void startConnection(InstallReferrerStateListener listener);

    public abstract void endConnection();

    public abstract ReferrerDetails getInstallReferrer() throws RemoteException;

    private static final class Answering extends InstallReferrerClient {
        @Override
        public void startConnection(InstallReferrerStateListener listener) {
            connections++;
            if (refusal != null) throw refusal;
            if (isSilent) return;
            // As on a device: later, on the main thread.
            Thread main = new Thread(() -> {
                listener.onInstallReferrerSetupFinished(response);
                listener.onInstallReferrerServiceDisconnected();
            }, "main thread of Android");
            main.start();
        }

        @Override
        public void endConnection() {}

        @Override
        public ReferrerDetails getInstallReferrer() throws RemoteException {
            if (Thread.currentThread().getName().startsWith("main")) throw new AssertionError("not on the main thread");
            if (referrer == null) throw new RemoteException();
            return new ReferrerDetails(referrer);
        }
    }
}
