package com.google.firebase.dynamiclinks;

import android.app.Activity;
import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.Executor;
import waymark.client.android.MainThreadExecutor;

/**
 * A result that arrives later, with the names of Play services' class, which the libraries for it do not take.
 *
 * <p>Listeners run on the main thread, or on the executor that is given, once, also if the task is complete already. It
 * may be used from any thread.
 */
public final class Task<T> {
    private final Object lock = new Object();
    private final List<Runnable> listeners = new ArrayList<>();
    private boolean isComplete;
    private T result;
    private Exception exception;

    Task() {}

    /** False if the task was complete already. */
    boolean complete(T result, Exception exception) {
        List<Runnable> waiting;
        synchronized (lock) {
            if (isComplete) return false;
            isComplete = true;
            this.result = result;
            this.exception = exception;
            waiting = new ArrayList<>(listeners);
            listeners.clear();
            lock.notifyAll();
        }
        for (Runnable listener : waiting) listener.run();
        return true;
    }

    /** Waits for the task. */
    void await(long milliseconds) throws InterruptedException {
        // A longer wait than a year would overflow.
        long end = System.nanoTime() + Math.min(milliseconds, 365L * 86_400_000) * 1_000_000;
        synchronized (lock) {
            while (!isComplete) {
                long rest = (end - System.nanoTime()) / 1_000_000;
                if (rest <= 0) return;
                lock.wait(rest);
            }
        }
    }

    public boolean isComplete() {
        synchronized (lock) {
            return isComplete;
        }
    }

    public boolean isSuccessful() {
        synchronized (lock) {
            return isComplete && exception == null;
        }
    }

    /** True only for {@link Tasks#forCanceled} and what follows it. */
    public boolean isCanceled() {
        return getException() instanceof CancellationException;
    }

    /**
     * The result; may be null.
     *
     * @throws IllegalStateException if the task is not complete
     * @throws RuntimeExecutionException if it failed
     */
    public T getResult() {
        synchronized (lock) {
            if (!isComplete) throw new IllegalStateException("the task is not complete");
            if (exception != null) throw new RuntimeExecutionException(exception);
            return result;
        }
    }

    /** @throws X if the task failed with it */
    public <X extends Throwable> T getResult(@NonNull Class<X> type) throws X {
        Exception failure = getException();
        if (type.isInstance(failure)) throw type.cast(failure);
        return getResult();
    }

    /** Why the task failed; null if it did not. */
    @Nullable
    public Exception getException() {
        synchronized (lock) {
            return exception;
        }
    }

    private void whenComplete(Executor executor, Runnable action) {
        Runnable listener = () -> executor.execute(action);
        synchronized (lock) {
            if (!isComplete) {
                listeners.add(listener);
                return;
            }
        }
        listener.run();
    }

    @NonNull
    public Task<T> addOnCompleteListener(@NonNull Executor executor, @NonNull OnCompleteListener<T> listener) {
        whenComplete(executor, () -> listener.onComplete(this));
        return this;
    }

    @NonNull
    public Task<T> addOnCompleteListener(@NonNull OnCompleteListener<T> listener) {
        return addOnCompleteListener(new MainThreadExecutor(), listener);
    }

    /** The listener is not called if the activity is destroyed by then. */
    @NonNull
    public Task<T> addOnCompleteListener(@NonNull Activity activity, @NonNull OnCompleteListener<T> listener) {
        return addOnCompleteListener(new ActivityExecutor(activity), listener);
    }

    @NonNull
    public Task<T> addOnSuccessListener(@NonNull Executor executor, @NonNull OnSuccessListener<? super T> listener) {
        whenComplete(executor, () -> {
            if (isSuccessful()) listener.onSuccess(result);
        });
        return this;
    }

    @NonNull
    public Task<T> addOnSuccessListener(@NonNull OnSuccessListener<? super T> listener) {
        return addOnSuccessListener(new MainThreadExecutor(), listener);
    }

    /** The listener is not called if the activity is destroyed by then. */
    @NonNull
    public Task<T> addOnSuccessListener(@NonNull Activity activity, @NonNull OnSuccessListener<? super T> listener) {
        return addOnSuccessListener(new ActivityExecutor(activity), listener);
    }

    @NonNull
    public Task<T> addOnFailureListener(@NonNull Executor executor, @NonNull OnFailureListener listener) {
        whenComplete(executor, () -> {
            Exception failure = getException();
            if (failure != null && !isCanceled()) listener.onFailure(failure);
        });
        return this;
    }

    @NonNull
    public Task<T> addOnFailureListener(@NonNull OnFailureListener listener) {
        return addOnFailureListener(new MainThreadExecutor(), listener);
    }

    /** The listener is not called if the activity is destroyed by then. */
    @NonNull
    public Task<T> addOnFailureListener(@NonNull Activity activity, @NonNull OnFailureListener listener) {
        return addOnFailureListener(new ActivityExecutor(activity), listener);
    }

    @NonNull
    public Task<T> addOnCanceledListener(@NonNull Executor executor, @NonNull OnCanceledListener listener) {
        whenComplete(executor, () -> {
            if (isCanceled()) listener.onCanceled();
        });
        return this;
    }

    @NonNull
    public Task<T> addOnCanceledListener(@NonNull OnCanceledListener listener) {
        return addOnCanceledListener(new MainThreadExecutor(), listener);
    }

    /** The listener is not called if the activity is destroyed by then. */
    @NonNull
    public Task<T> addOnCanceledListener(@NonNull Activity activity, @NonNull OnCanceledListener listener) {
        return addOnCanceledListener(new ActivityExecutor(activity), listener);
    }

    @NonNull
    public <R> Task<R> continueWith(@NonNull Continuation<T, R> continuation) {
        return continueWith(new MainThreadExecutor(), continuation);
    }

    @NonNull
    public <R> Task<R> continueWith(@NonNull Executor executor, @NonNull Continuation<T, R> continuation) {
        TaskCompletionSource<R> next = new TaskCompletionSource<>();
        addOnCompleteListener(executor, task -> {
            R value;
            try {
                value = continuation.then(task);
            } catch (Exception error) {
                next.setException(cause(error));
                return;
            }
            next.setResult(value);
        });
        return next.getTask();
    }

    @NonNull
    public <R> Task<R> continueWithTask(@NonNull Continuation<T, Task<R>> continuation) {
        return continueWithTask(new MainThreadExecutor(), continuation);
    }

    @NonNull
    public <R> Task<R> continueWithTask(@NonNull Executor executor, @NonNull Continuation<T, Task<R>> continuation) {
        TaskCompletionSource<R> next = new TaskCompletionSource<>();
        addOnCompleteListener(executor, task -> follow(() -> continuation.then(task), next));
        return next.getTask();
    }

    @NonNull
    public <R> Task<R> onSuccessTask(@NonNull SuccessContinuation<T, R> continuation) {
        return onSuccessTask(new MainThreadExecutor(), continuation);
    }

    @NonNull
    public <R> Task<R> onSuccessTask(@NonNull Executor executor, @NonNull SuccessContinuation<T, R> continuation) {
        TaskCompletionSource<R> next = new TaskCompletionSource<>();
        whenComplete(executor, () -> {
            Exception failure = getException();
            if (failure == null) {
                follow(() -> continuation.then(result), next);
            } else {
                next.setException(failure);
            }
        });
        return next.getTask();
    }

    private interface Maker<R> {
        Task<R> make() throws Exception;
    }

    private static <R> void follow(Maker<R> maker, TaskCompletionSource<R> next) {
        try {
            Task<R> made = maker.make();
            made.whenComplete(Runnable::run, () -> next.setOutcome(made));
        } catch (Exception error) {
            next.setException(cause(error));
        }
    }

    /** What a failed task's {@code getResult} wraps. */
    private static Exception cause(Exception error) {
        Throwable cause = error instanceof RuntimeExecutionException ? error.getCause() : null;
        return cause instanceof Exception ? (Exception) cause : error;
    }

    /** Runs on the main thread, unless the activity is destroyed. */
    private static final class ActivityExecutor implements Executor {
        private final Activity activity;
        private final Executor main = new MainThreadExecutor();

        ActivityExecutor(Activity activity) {
            this.activity = activity;
        }

        @Override
        public void execute(@NonNull Runnable command) {
            main.execute(() -> {
                if (!activity.isDestroyed()) command.run();
            });
        }
    }
}
