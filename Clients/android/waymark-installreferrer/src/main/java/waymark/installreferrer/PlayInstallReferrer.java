package waymark.installreferrer;

import android.content.Context;
import android.os.RemoteException;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import com.android.installreferrer.api.InstallReferrerClient;
import com.android.installreferrer.api.InstallReferrerClient.InstallReferrerResponse;
import com.android.installreferrer.api.InstallReferrerStateListener;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import waymark.client.InstallReferrer;
import waymark.client.transport.DaemonThreads;

/**
 * Reads the install referrer of Google Play with its library, {@code com.android.installreferrer} 2.2, on a thread of
 * its own: Play's library calls back on the main thread, and the reading is a call of another process.
 */
public final class PlayInstallReferrer implements InstallReferrer {
    private final Context context;
    private final long timeLimit;

    /** Waits at most five seconds for Play. */
    public PlayInstallReferrer(@NonNull Context context) {
        this(context, 5_000);
    }

    /** @param milliseconds how long to wait for Play */
    public PlayInstallReferrer(@NonNull Context context, long milliseconds) {
        this.context = context.getApplicationContext();
        timeLimit = milliseconds;
    }

    /**
     * The referrer; null if Play is missing or too old.
     *
     * @throws IOException if Play is not available now, or does not answer in time
     */
    @Override
    @Nullable
    public String read() throws IOException {
        FutureTask<String> task = new FutureTask<>(this::ask);
        DaemonThreads.daemon("waymark-referrer", task).start();
        try {
            return task.get(timeLimit, TimeUnit.MILLISECONDS);
        } catch (TimeoutException error) {
            throw new InterruptedIOException("Play did not answer in time");
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("the reading was cancelled");
        } catch (ExecutionException error) {
            throw new IOException("Play's answer could not be read", error.getCause());
        } finally {
            task.cancel(true);
        }
    }

    private String ask() throws IOException, RemoteException, InterruptedException {
        final LinkedBlockingQueue<Integer> responses = new LinkedBlockingQueue<>();
        InstallReferrerClient client = InstallReferrerClient.newBuilder(context).build();
        try {
            try {
                client.startConnection(new Listener(responses));
            } catch (SecurityException error) {
                // Some devices forbid to bind to Play.
                return null;
            }
            int response = responses.take();
            if (response == InstallReferrerResponse.OK) return client.getInstallReferrer().getInstallReferrer();
            if (response == InstallReferrerResponse.SERVICE_UNAVAILABLE
                    || response == InstallReferrerResponse.SERVICE_DISCONNECTED) {
                throw new IOException("Play is not available");
            }
            return null;
        } finally {
            try {
                client.endConnection();
            } catch (RuntimeException error) {
                // It has ended already.
            }
        }
    }

    private static final class Listener implements InstallReferrerStateListener {
        private final LinkedBlockingQueue<Integer> responses;

        Listener(LinkedBlockingQueue<Integer> responses) {
            this.responses = responses;
        }

        @Override
        public void onInstallReferrerSetupFinished(int responseCode) {
            responses.offer(responseCode);
        }

        @Override
        public void onInstallReferrerServiceDisconnected() {
            responses.offer(InstallReferrerResponse.SERVICE_DISCONNECTED);
        }
    }
}
