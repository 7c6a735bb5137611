package android.os;

/** Runs at once what is posted without a delay. */
public class Handler {
    public Handler(Looper looper) {}

    public boolean post(Runnable message) {
        message.run();
        return true;
    }

    public boolean postDelayed(Runnable message, long milliseconds) {
        return true;
    }
}
