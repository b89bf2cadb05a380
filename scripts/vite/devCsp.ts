import type { Plugin } from 'vite';

/** In dev, Vite puts each stylesheet into an inline `<style>`; the built site has none and stays strict. */
export function devCsp(): Plugin {
  return {
    name: 'reprise:dev-csp',
    apply: 'serve',
    transformIndexHtml: (html) => html.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
  };
}
