/** The version of package.json, put in by Vite. */
declare const __REPRISE_VERSION__: string;
