package waymark.client;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;

/** A call with callbacks, of which one is called, whatever the call throws. */
final class PendingCall<T> implements Runnable, Cancellable {
    private final Callable<T> call;
    private final Executor callbacks;
    private final OnNullableResult<T> onSuccess;
    private final OnFailure onFailure;
    /** The thread to interrupt. */
    private Thread thread;
    private boolean isCancelled;

    PendingCall(Callable<T> call, Executor callbacks, OnNullableResult<T> onSuccess, OnFailure onFailure) {
        this.call = call;
        this.callbacks = callbacks;
        this.onSuccess = onSuccess;
        this.onFailure = onFailure;
    }

    @Override
    public void run() {
        Runnable callback;
        try {
            begin();
            T result = call.call();
            callback = () -> onSuccess.onResult(result);
        } catch (WaymarkException error) {
            callback = () -> onFailure.onFailure(error);
        } catch (Exception error) {
            // A transport of the app must not end the process.
            WaymarkException failure = WaymarkException.of(WaymarkException.Kind.UNEXPECTED_ANSWER,
                    "the transport or the storage failed: " + error.getClass().getName(), error);
            callback = () -> onFailure.onFailure(failure);
        } finally {
            end();
        }
        callbacks.execute(callback);
    }

    @Override
    public synchronized void cancel() {
        isCancelled = true;
        if (thread != null) thread.interrupt();
    }

    private synchronized void begin() throws WaymarkException {
        if (isCancelled) throw WaymarkException.of(WaymarkException.Kind.CANCELLED, "the call was cancelled");
        thread = Thread.currentThread();
    }

    /** The thread goes on with other work. */
    private synchronized void end() {
        thread = null;
        if (isCancelled) Thread.interrupted();
    }
}
