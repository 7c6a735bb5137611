package android.os;

public class Build {
    public static class VERSION {
        public static final String RELEASE = release();

        /** Not a constant: compilers must not copy it. */
        private static String release() {
            return "15";
        }
    }
}
