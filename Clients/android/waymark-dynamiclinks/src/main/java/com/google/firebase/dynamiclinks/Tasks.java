package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import waymark.client.android.MainThreadExecutor;

/** Makes tasks, and waits for them. */
public final class Tasks {
    private Tasks() {}

    @NonNull
    public static <T> Task<T> forResult(@Nullable T result) {
        TaskCompletionSource<T> source = new TaskCompletionSource<>();
        source.setResult(result);
        return source.getTask();
    }

    @NonNull
    public static <T> Task<T> forException(@NonNull Exception error) {
        TaskCompletionSource<T> source = new TaskCompletionSource<>();
        source.setException(error);
        return source.getTask();
    }

    /** A task that was cancelled. */
    @NonNull
    public static <T> Task<T> forCanceled() {
        return forException(new CancellationException("the task was cancelled"));
    }

    /** Runs the call on the main thread. */
    @NonNull
    public static <T> Task<T> call(@NonNull Callable<T> call) {
        return call(new MainThreadExecutor(), call);
    }

    @NonNull
    public static <T> Task<T> call(@NonNull Executor executor, @NonNull Callable<T> call) {
        TaskCompletionSource<T> source = new TaskCompletionSource<>();
        executor.execute(() -> {
            T result;
            try {
                result = call.call();
            } catch (Exception error) {
                source.setException(error);
                return;
            }
            source.setResult(result);
        });
        return source.getTask();
    }

    /** Complete when all tasks are; fails with an {@code ExecutionException} if one has failed. */
    @NonNull
    public static Task<Void> whenAll(@NonNull Collection<? extends Task<?>> tasks) {
        TaskCompletionSource<Void> source = new TaskCompletionSource<>();
        AtomicInteger rest = new AtomicInteger(tasks.size() + 1);
        OnCompleteListener<Object> onComplete = task -> {
            if (rest.decrementAndGet() > 0) return;
            Exception failure = null;
            for (Task<?> each : tasks) if (failure == null) failure = each.getException();
            if (failure == null) {
                source.setResult(null);
            } else {
                source.setException(failure instanceof CancellationException
                        ? failure : new ExecutionException("a task failed", failure));
            }
        };
        for (Task<?> task : tasks) listen(task, onComplete);
        onComplete.onComplete(new Task<>());
        return source.getTask();
    }

    @NonNull
    public static Task<Void> whenAll(@NonNull Task<?>... tasks) {
        return whenAll(Arrays.asList(tasks));
    }

    /** The results in the order of the tasks; fails like {@link #whenAll}. */
    @NonNull
    public static <T> Task<List<T>> whenAllSuccess(@NonNull Collection<? extends Task<?>> tasks) {
        return whenAll(tasks).continueWith(Runnable::run, all -> {
            all.getResult();
            List<T> results = new ArrayList<>();
            for (Task<?> task : tasks) results.add(cast(task.getResult()));
            return results;
        });
    }

    @NonNull
    public static <T> Task<List<T>> whenAllSuccess(@NonNull Task<?>... tasks) {
        return whenAllSuccess(Arrays.asList(tasks));
    }

    @SuppressWarnings("unchecked")
    private static <T> T cast(Object value) {
        return (T) value;
    }

    private static <T> void listen(Task<T> task, OnCompleteListener<Object> listener) {
        task.addOnCompleteListener(Runnable::run, done -> listener.onComplete(new Task<>()));
    }

    /** The callbacks, and so most answers, need the main thread. */
    private static void checkThread() {
        if (MainThreadExecutor.isCurrent()) {
            throw new IllegalStateException("must not be called on the main thread");
        }
    }

    /** @throws IllegalStateException on the main thread */
    public static <T> T await(@NonNull Task<T> task) throws ExecutionException, InterruptedException {
        checkThread();
        while (!task.isComplete()) task.await(60_000);
        return result(task);
    }

    /**
     * @throws TimeoutException if the task is not complete by then
     * @throws IllegalStateException on the main thread
     */
    public static <T> T await(@NonNull Task<T> task, long timeout, @NonNull TimeUnit unit)
            throws ExecutionException, InterruptedException, TimeoutException {
        checkThread();
        task.await(unit.toMillis(timeout));
        if (!task.isComplete()) throw new TimeoutException("the task is not complete");
        return result(task);
    }

    private static <T> T result(Task<T> task) throws ExecutionException {
        Exception error = task.getException();
        if (error != null) throw new ExecutionException(error);
        return task.getResult();
    }
}
