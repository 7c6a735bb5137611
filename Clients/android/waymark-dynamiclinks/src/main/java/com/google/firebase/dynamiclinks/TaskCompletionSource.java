package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;
import androidx.annotation.Nullable;

/** Completes a task, once. */
public final class TaskCompletionSource<T> {
    private final Task<T> task = new Task<>();

    public TaskCompletionSource() {}

    @NonNull
    public Task<T> getTask() {
        return task;
    }

    /** @throws IllegalStateException if the task is complete */
    public void setResult(@Nullable T result) {
        if (!trySetResult(result)) throw new IllegalStateException("the task is complete");
    }

    /** @throws IllegalStateException if the task is complete */
    public void setException(@NonNull Exception error) {
        if (!trySetException(error)) throw new IllegalStateException("the task is complete");
    }

    /** False if the task was complete. */
    public boolean trySetResult(@Nullable T result) {
        return task.complete(result, null);
    }

    /** False if the task was complete. */
    public boolean trySetException(@NonNull Exception error) {
        return task.complete(null, error);
    }

    /** @param other a complete task */
    void setOutcome(Task<T> other) {
        Exception error = other.getException();
        task.complete(error == null ? other.getResult() : null, error);
    }
}
