/** What `mcp-reprise verify --help` prints. */
export const VERIFY_USAGE = `Usage: mcp-reprise verify <url or env:NAME> [options]
       mcp-reprise verify --stdio "<command>" [options]

  --stdio <command>     test a stdio server through a bridge
  --env <NAME>          pass this variable to the command of --stdio (repeatable)
  --start <command>     start the server with this shell command, and end it after the run
  --tool <name>         tool to interrupt (default: chosen automatically)
  --args <json>         tool arguments as a JSON object; @file or - reads a file or stdin
  --expect-error        expect the tool to return an error
  --header <name: value>  request header (repeatable); "X-Key: env:NAME" reads the value from the environment
  --bearer <token>      bearer token; env:NAME reads it from the environment
  --profile <folder>    store the page's login in this folder; log in once with --headed
  --scenario <name>     run only this scenario (repeatable, or a list with commas; see --list-scenarios)
  --skip <name>         skip this scenario (repeatable, or a list with commas)
  --revision <which>    protocol version: auto, session (up to 2025-11-25), stateless (2026-07-28) or both (default: auto)
  --origin <origin>     origin of the page, http://localhost:<port>, if the server allows only some origins
  --reloads <n>         number of reloads in "reload-twice" (default: 2)
  --calls <file.json>   run saved calls with their expectations instead of the scenarios
  --update-snapshots    overwrite the snapshots of --calls
  --snapshot <file.json>  fail if the tools, prompts, resources or capabilities differ from this file;
                        --scenario interface compares them and runs no other scenario
  --update-snapshot     overwrite the file of --snapshot
  --quick               run only cors, control, reload-mid-call, finish-while-away and repeated-request
  --workers <n>         scenarios to run in parallel (default: 2 for each core, at most 8)
  --repeat <n>          runs per scenario; one failure fails the scenario (default: 1)
  --timeout <seconds>   timeout per step (default: 60)
  --seed <n>            varies when the call is interrupted (default: 1)
  --allow-no-cors       if CORS blocks the page, continue without enforcing it
  --fail-on <level>     exit with 1 from this level on: must, should or advice (default: must); lost calls and second
                        runs always fail
  --expected-failures <file>  scenarios that may fail, one per line; a listed scenario that passes fails the run
  --require <what>      A or reload-safe; anything less fails the run
  --browser <name>      chromium, firefox or webkit (default: chromium)
  --headed              show the browser
  --connect <ws url>    use the browser of a Playwright server
  --quiet               print only the outcome
  --json [file.json]    write JSON to stdout or a file
  --junit [file.xml]    write JUnit XML to stdout or a file
  --html <folder>       write an HTML report, plus JSON and JUnit
  --badge <file.json>   write the grade as a badge (shields.io endpoint)
  --compare <report.json>  report failures that are new since this report
  --traces <folder>     write a Playwright trace of each failed scenario
  --targets <file>      test several servers: a JSON array of URLs or { "url", "tool", "args", … }
  --shard <i/n>         run part i of n of the targets, or of the scenarios if there are fewer targets

Examples:
  mcp-reprise verify http://localhost:3000/mcp --tool report --args '{"rows": 1000}'
  mcp-reprise verify http://localhost:3000/mcp --scenario reload-mid-call --html report
  mcp-reprise verify https://example.com/mcp --bearer env:MCP_TOKEN --junit report.xml

Logins without a user: MCP_REPRISE_BEARER, or MCP_REPRISE_CLIENT_ID with MCP_REPRISE_CLIENT_SECRET or
MCP_REPRISE_PRIVATE_KEY (PEM or JWK) for OAuth client credentials; MCP_REPRISE_SCOPE and MCP_REPRISE_ISSUER are optional.

In GitHub Actions, verify also writes a step summary, annotations and outputs.

A browser is required. Chromium: npx playwright install chromium, one of the system, or its path in REPRISE_CHROMIUM.
Firefox and WebKit: npx playwright install firefox or webkit.

Exit codes: 0 passed, 1 failed, 2 usage error, 3 server unreachable, 4 nothing could be tested, 5 can't run (for example no
browser), 130 interrupted.`;
