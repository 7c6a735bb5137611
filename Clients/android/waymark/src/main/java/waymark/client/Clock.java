package waymark.client;

/** The time and waiting. Tests inject their own. */
public interface Clock {
    /** Unix time in milliseconds. */
    long now();

    /**
     * Milliseconds since some moment. Goes on while the device sleeps, and nobody can set it. {@code System.nanoTime()} stands
     * still in deep sleep on Android (CLOCK_MONOTONIC).
     */
    long elapsed();

    void sleep(long milliseconds) throws InterruptedException;
}
