package waymark.client.transport;

import androidx.annotation.NonNull;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Threads that do not keep the process alive. */
public final class DaemonThreads {
    private DaemonThreads() {}

    /** An executor that never queues and keeps an idle thread for 30 seconds. */
    @NonNull
    public static Executor cached(@NonNull String name) {
        ThreadFactory factory = work -> daemon(name, work);
        return new ThreadPoolExecutor(
                0, Integer.MAX_VALUE, 30, TimeUnit.SECONDS, new SynchronousQueue<Runnable>(), factory);
    }

    /** An executor with at most so many threads, which keeps an idle one for 30 seconds. Other work waits. */
    @NonNull
    public static Executor bounded(@NonNull String name, int count) {
        ThreadPoolExecutor executor = new ThreadPoolExecutor(
                count, count, 30, TimeUnit.SECONDS, new LinkedBlockingQueue<Runnable>(), work -> daemon(name, work));
        executor.allowCoreThreadTimeOut(true);
        return executor;
    }

    /** Runs short work later, on one thread for all, which ends when it is idle. */
    @NonNull
    public static Future<?> schedule(long milliseconds, @NonNull Runnable work) {
        return Timer.EXECUTOR.schedule(work, milliseconds, TimeUnit.MILLISECONDS);
    }

    private static final class Timer {
        static final ScheduledThreadPoolExecutor EXECUTOR = executor();

        private static ScheduledThreadPoolExecutor executor() {
            ScheduledThreadPoolExecutor executor =
                    new ScheduledThreadPoolExecutor(1, work -> daemon("waymark-timer", work));
            executor.setKeepAliveTime(30, TimeUnit.SECONDS);
            executor.allowCoreThreadTimeOut(true);
            return executor;
        }
    }

    @NonNull
    public static Thread daemon(@NonNull String name, @NonNull Runnable work) {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        return thread;
    }
}
