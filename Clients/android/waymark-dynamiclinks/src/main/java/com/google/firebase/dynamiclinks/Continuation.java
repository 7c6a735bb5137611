package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;

/** Makes another value of a task that is complete. */
public interface Continuation<T, R> {
    R then(@NonNull Task<T> task) throws Exception;
}
