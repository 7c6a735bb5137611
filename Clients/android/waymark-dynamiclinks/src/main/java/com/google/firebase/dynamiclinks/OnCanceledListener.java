package com.google.firebase.dynamiclinks;

/** Called for a task that was cancelled; those of links never are. */
public interface OnCanceledListener {
    void onCanceled();
}
