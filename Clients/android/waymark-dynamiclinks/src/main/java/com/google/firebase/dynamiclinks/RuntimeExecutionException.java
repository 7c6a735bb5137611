package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;

/** The result of a task that failed was asked for; the cause is why it failed. */
public final class RuntimeExecutionException extends RuntimeException {
    public RuntimeExecutionException(@NonNull Throwable cause) {
        super(cause);
    }
}
