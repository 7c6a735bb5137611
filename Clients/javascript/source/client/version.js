/** The version of the client, that of package.json. */
export const version = "0.3.0-dev";
