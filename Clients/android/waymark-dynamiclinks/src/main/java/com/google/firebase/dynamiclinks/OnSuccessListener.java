package com.google.firebase.dynamiclinks;

/** Receives a task's result. */
public interface OnSuccessListener<T> {
    void onSuccess(T result);
}
