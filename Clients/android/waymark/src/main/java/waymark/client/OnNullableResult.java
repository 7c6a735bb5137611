package waymark.client;

import androidx.annotation.Nullable;

/** Receives a result that may be null, on the client's callback executor. A Kotlin or Java lambda. */
public interface OnNullableResult<T> {
    void onResult(@Nullable T result);
}
