package waymark.flutter;

import android.content.Context;
import android.os.Handler;
import android.os.Looper;
import com.android.installreferrer.api.InstallReferrerClient;
import com.android.installreferrer.api.InstallReferrerStateListener;
import io.flutter.plugin.common.MethodChannel;

/**
 * Reads the install referrer with Play's library, and answers once: with the referrer, with null without Play, or
 * with an error if Play is not available now or does not answer within five seconds.
 */
final class ReferrerReader implements InstallReferrerStateListener {
    private static final long LIMIT = 5_000;

    private final Handler main = new Handler(Looper.getMainLooper());
    private final InstallReferrerClient client;
    private MethodChannel.Result result;

    ReferrerReader(Context context, MethodChannel.Result result) {
        client = InstallReferrerClient.newBuilder(context).build();
        this.result = result;
    }

    void start() {
        main.postDelayed(() -> fail("Play did not answer in time"), LIMIT);
        try {
            client.startConnection(this);
        } catch (RuntimeException error) {
            // Some devices forbid to bind to Play.
            succeed(null);
        }
    }

    @Override
    public void onInstallReferrerSetupFinished(int code) {
        // Play's library calls on the main thread, and the reading is a call of another process.
        new Thread(() -> read(code), "waymark-referrer").start();
    }

    @Override
    public void onInstallReferrerServiceDisconnected() {
        main.post(() -> fail("Play is not available"));
    }

    private void read(int code) {
        try {
            if (code == InstallReferrerClient.InstallReferrerResponse.OK) {
                String referrer = client.getInstallReferrer().getInstallReferrer();
                main.post(() -> succeed(referrer));
            } else if (code == InstallReferrerClient.InstallReferrerResponse.SERVICE_UNAVAILABLE) {
                main.post(() -> fail("Play is not available"));
            } else {
                main.post(() -> succeed(null));
            }
        } catch (Exception error) {
            main.post(() -> fail("Play's answer could not be read"));
        }
    }

    private void succeed(String referrer) {
        MethodChannel.Result result = end();
        if (result != null) result.success(referrer);
    }

    private void fail(String reason) {
        MethodChannel.Result result = end();
        if (result != null) result.error("unavailable", reason, null);
    }

    /** Null if it was answered already. On the main thread only. */
    private MethodChannel.Result end() {
        MethodChannel.Result last = result;
        result = null;
        if (last == null) return null;
        try {
            client.endConnection();
        } catch (RuntimeException error) {
            // It has ended already.
        }
        return last;
    }
}
