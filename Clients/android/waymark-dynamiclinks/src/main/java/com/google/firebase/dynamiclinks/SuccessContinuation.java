package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;

/** Makes another task of a result. */
public interface SuccessContinuation<T, R> {
    @NonNull
    Task<R> then(T result) throws Exception;
}
