// Resolves React of Debian's packages, and a stand-in for React Native.
const modules = {
    react: "file:///usr/share/nodejs/react/index.js",
    "react-native": new URL("react-native.js", import.meta.url).href,
};

export async function resolve(specifier, context, next) {
    const url = modules[specifier];
    return url ? { url, shortCircuit: true } : next(specifier, context);
}
