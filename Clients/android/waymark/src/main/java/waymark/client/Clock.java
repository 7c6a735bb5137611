package waymark.client;

/** The time and waiting. Tests inject their own. */
public interface Clock {
    /** Unix time in milliseconds. */
    long now();

    void sleep(long milliseconds) throws InterruptedException;
}
