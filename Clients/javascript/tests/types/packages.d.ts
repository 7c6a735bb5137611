// The parts of other packages that the documentation uses.
declare namespace JSX {
    type Element = import("react").ReactElement;
    interface ElementChildrenAttribute { children: unknown }
    interface IntrinsicElements { [name: string]: never }
}
declare module "react" {
    export type ReactNode = ReactElement | string | number | boolean | null | undefined | readonly ReactNode[];
    export interface ReactElement { type: unknown; props: unknown; key: string | null }
    export interface HTMLAttributes<Element> { className?: string; onClick?: (event: { currentTarget: Element }) => void }
    export type DetailedHTMLProps<Attributes, Element> = Attributes & { ref?: (element: Element | null) => void };
    export interface Context<Value> { Provider: (props: { value: Value; children?: ReactNode }) => ReactElement }
    export function createContext<Value>(value: Value): Context<Value>;
    export function createElement<Props>(
        type: (props: Props) => ReactElement | null, props: Omit<Props, "children"> | null, ...children: ReactNode[]
    ): ReactElement;
    export function useCallback<Call extends (...values: never[]) => unknown>(call: Call, inputs: readonly unknown[]): Call;
    export function useContext<Value>(context: Context<Value>): Value;
    export function useEffect(effect: () => void | (() => void), inputs: readonly unknown[]): void;
    export function useMemo<Value>(make: () => Value, inputs: readonly unknown[]): Value;
    export function useRef<Value>(value: Value): { current: Value };
    export function useState<Value>(value: Value | (() => Value)): [Value, (value: Value) => void];
}
declare module "react-native" {
    export const Linking: {
        getInitialURL(): Promise<string | null>;
        addEventListener(type: "url", listener: (event: { url: string }) => void): { remove(): void };
    };
    export const AppState: {
        addEventListener(type: "change", listener: (state: string) => void): { remove(): void };
    };
    export const Button: (props: { title: string; disabled?: boolean; onPress(): void }) => import("react").ReactElement;
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
declare module "@react-navigation/native" {
    export function createNavigationContainerRef(): {
        isReady(): boolean;
        navigate(screen: string, parameters?: object): void;
    };
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
