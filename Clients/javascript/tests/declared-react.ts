// The module for React Native has the declared types.
import * as declared from "../react-native.js";
import * as reactNative from "../source/react-native/index.js";

export const all: typeof declared = reactNative;
