package android.os;

import java.util.ArrayDeque;

/** Keeps what is posted without a delay until the test lets it run. */
public class Handler {
    private static final ArrayDeque<Runnable> POSTED = new ArrayDeque<>();

    public Handler(Looper looper) {}

    public boolean post(Runnable message) {
        return POSTED.add(message);
    }

    public boolean postDelayed(Runnable message, long milliseconds) {
        return true;
    }

    public void removeCallbacks(Runnable message) {
        POSTED.remove(message);
    }

    /** Not in Android: there the looper does it. */
    public static void runPosted() {
        while (!POSTED.isEmpty()) POSTED.remove().run();
    }
}
