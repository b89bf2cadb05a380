/** Where the log of a scenario is, seen from the report; nothing if it wasn't kept. */
export type LogLinks = (server: number, scenario: string) => string | undefined;

/** Of the scenarios of one server. */
export type LogOf = (scenario: string) => string | undefined;

export const NO_LOGS: LogLinks = () => undefined;
