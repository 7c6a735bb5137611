// The parts of other packages that the documentation uses.
declare module "react-native" {
    export const Linking: {
        getInitialURL(): Promise<string | null>;
        addEventListener(type: "url", listener: (event: { url: string }) => void): { remove(): void };
    };
    export const Platform: { OS: "ios" | "android" | "macos" | "windows" | "web" };
}
declare module "@react-native-async-storage/async-storage" {
    const AsyncStorage: {
        getItem(key: string): Promise<string | null>;
        setItem(key: string, value: string): Promise<void>;
        removeItem(key: string): Promise<void>;
    };
    export default AsyncStorage;
}
declare module "expo-linking" {
    export function getInitialURL(): Promise<string | null>;
    export function addEventListener(type: "url", listener: (event: { url: string }) => void): { remove(): void };
}
declare module "expo-application" {
    export const nativeApplicationVersion: string | null;
    export function getInstallReferrerAsync(): Promise<string>;
}
declare module "expo-clipboard" {
    export function hasUrlAsync(): Promise<boolean>;
    export function getStringAsync(): Promise<string>;
}
declare module "expo-secure-store" {
    export function getItemAsync(key: string): Promise<string | null>;
    export function setItemAsync(key: string, value: string): Promise<void>;
}
