package waymark.client;

/**
 * How requests are repeated after a transient failure: no connection, a timeout, or status 408, 429, 500, 502, 503 or
 * 504.
 *
 * <p>The wait doubles with each attempt, with jitter between half of it and all of it. A {@code Retry-After} is
 * honoured in full; if it is longer than the longest wait, the request fails at once.
 */
public final class RetryPolicy {
    /** No retries. */
    public static final RetryPolicy NEVER = new RetryPolicy(1, 500, 20_000);

    private final int attempts;
    private final long firstWait;
    private final long longestWait;

    /** Four attempts, waits of half a second to 20 seconds. */
    public RetryPolicy() {
        this(4, 500, 20_000);
    }

    /**
     * @param attempts the total number of attempts, at least 1
     * @param firstWait upper bound of the first wait, in milliseconds
     * @param longestWait upper bound of every wait, in milliseconds
     */
    public RetryPolicy(int attempts, long firstWait, long longestWait) {
        this.attempts = Math.max(1, attempts);
        this.firstWait = Math.max(0, firstWait);
        this.longestWait = Math.max(0, longestWait);
    }

    /**
     * The wait in milliseconds after an attempt, counted from 1; -1 if there is no further attempt.
     *
     * @param retryAfter the service's wait in milliseconds; negative for none
     * @param fraction a random number of at least 0 and less than 1
     */
    public long waitMillis(int attempt, long retryAfter, double fraction) {
        if (attempt >= attempts) return -1;
        int doublings = Math.min(Math.max(attempt - 1, 0), 30);
        double whole = Math.min((double) firstWait * (1L << doublings), (double) longestWait);
        long wait = Math.round(whole / 2 + whole / 2 * fraction);
        if (retryAfter < 0) return wait;
        return retryAfter > longestWait ? -1 : Math.max(wait, retryAfter);
    }

    @Override
    public String toString() {
        return "RetryPolicy(attempts: " + attempts + ", firstWait: " + firstWait + ", longestWait: " + longestWait
                + ")";
    }
}
