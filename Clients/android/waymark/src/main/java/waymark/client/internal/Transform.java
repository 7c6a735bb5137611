package waymark.client.internal;

/** Makes one value of another. */
public interface Transform<A, R> {
    R apply(A value);
}
