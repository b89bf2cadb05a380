/** `npm run explore`: every interleaving of the models of streams and sessions. It takes minutes, so it isn't part of `npm test`. */
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { environment: 'node', include: ['src/**/*.explore.ts'], testTimeout: 1_200_000 },
});
