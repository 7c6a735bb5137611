// What nearly every page needs, in one import.
export * from "./element.js";
export * from "./address.js";
export * from "./announcement.js";
export * from "./api.js";
export * from "./clipboard.js";
export * from "./command.js";
export * from "./dialog.js";
export * from "./fields.js";
export * from "./formats.js";
export * from "./keyboard.js";
export * from "./pages.js";
export * from "./pane.js";
export * from "./session.js";
export * from "./texts.js";
export * from "./undo.js";
