package android.os;

public final class Bundle extends BaseBundle implements Cloneable, Parcelable {
    public Bundle() {}

    public Bundle(Bundle other) {
        values.putAll(other.values);
    }

    @Override
    public Object clone() {
        return new Bundle(this);
    }
}
