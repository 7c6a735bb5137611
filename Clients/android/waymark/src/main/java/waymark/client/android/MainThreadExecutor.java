package waymark.client.android;

import android.os.Handler;
import android.os.Looper;
import androidx.annotation.NonNull;
import java.util.concurrent.Executor;

/** Runs callbacks on the main thread, always after the caller has returned. */
public final class MainThreadExecutor implements Executor {
    private final Handler handler = new Handler(Looper.getMainLooper());

    /** Whether this is the main thread. */
    public static boolean isCurrent() {
        Looper looper = Looper.myLooper();
        return looper != null && looper == Looper.getMainLooper();
    }

    /** @throws IllegalStateException on another thread than the main one; not where there is none, as in tests */
    public static void check() {
        Looper main = Looper.getMainLooper();
        Thread thread = main == null ? null : main.getThread();
        if (thread != null && thread != Thread.currentThread()) {
            throw new IllegalStateException("the router is for the main thread");
        }
    }

    @Override
    public void execute(@NonNull Runnable command) {
        handler.post(command);
    }
}
