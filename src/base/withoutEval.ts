/**
 * zod compiles parsers with `eval`, which the page's policy forbids. It would find that out by trying, and the browser
 * would report a violation. This must be imported before the SDK, whose schemas are made when it is loaded.
 */
import { config } from 'zod/v4';

config({ jitless: true });
