package waymark.client;

import androidx.annotation.NonNull;

/** Receives a result, on the client's callback executor. A Kotlin or Java lambda. */
public interface OnResult<T> {
    void onResult(@NonNull T result);
}
