package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;

/** Receives a task that is complete. */
public interface OnCompleteListener<T> {
    void onComplete(@NonNull Task<T> task);
}
