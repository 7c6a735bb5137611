package android.os;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** The main loop; a test runs its messages. */
public final class Looper {
    private static final Looper MAIN = new Looper();

    /** Not in Android: what was posted and has not run. */
    public final BlockingQueue<Runnable> messages = new LinkedBlockingQueue<>();

    /** Not in Android: the thread that counts as the main one. */
    public static volatile Thread mainThread;

    private Looper() {}

    /** Null on any other thread. */
    public static Looper myLooper() {
        return Thread.currentThread() == mainThread ? MAIN : null;
    }

    public Thread getThread() {
        return mainThread;
    }

    public static Looper getMainLooper() {
        return MAIN;
    }
}
