package waymark.client.internal;

import android.os.SystemClock;
import java.util.Random;
import java.util.UUID;
import waymark.client.Clock;
import waymark.client.Randomness;

/** The system's clock and random numbers: IDs come from the secure source, jitter does not. */
public final class SystemClockAndRandomness implements Clock, Randomness {
    private final Random random = new Random();

    @Override
    public long now() {
        return System.currentTimeMillis();
    }

    @Override
    public long elapsed() {
        return SystemClock.elapsedRealtime();
    }

    @Override
    public void sleep(long milliseconds) throws InterruptedException {
        Thread.sleep(milliseconds);
    }

    @Override
    public String identifier() {
        return UUID.randomUUID().toString();
    }

    @Override
    public double fraction() {
        return random.nextDouble();
    }
}
