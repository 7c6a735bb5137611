/** The version of the client, that of package.json. */
export const version = "0.2.0-dev";
