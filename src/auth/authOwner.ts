/** The names of the records of one server's authorization. */

/** Escaped, so that no URL is the beginning of another's. */
export const authOwner = (serverUrl: string): string => `oauth/${encodeURIComponent(serverUrl)}/`;

export const tokensOwner = (serverUrl: string): string => `${authOwner(serverUrl)}tokens`;
