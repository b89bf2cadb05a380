/** `npm run explore`: every interleaving of the stream machine's models. It takes a minute, so it isn't part of `npm test`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['src/**/*.explore.ts'], testTimeout: 300_000 },
});
