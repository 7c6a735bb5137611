package android.view;

import android.content.Context;

public class View {
    public View(Context context) {}

    public interface OnClickListener {
        void onClick(View view);
    }

    private OnClickListener listener;

    public void setOnClickListener(OnClickListener listener) {
        this.listener = listener;
    }

    public boolean performClick() {
        if (listener != null) listener.onClick(this);
        return listener != null;
    }
}
