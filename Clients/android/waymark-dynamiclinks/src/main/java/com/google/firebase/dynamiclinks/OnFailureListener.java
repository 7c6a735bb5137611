package com.google.firebase.dynamiclinks;

import androidx.annotation.NonNull;

/** Receives the reason of a task's failure. */
public interface OnFailureListener {
    void onFailure(@NonNull Exception error);
}
