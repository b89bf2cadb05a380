/** What may be followed or drawn of what a Markdown text names, and its plain text. */
import type { Token } from 'marked';

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" };

/** Nothing is parsed as HTML here, so the few references that people write by hand are read here. */
export function plainOf(token: Token): string {
  const text = 'text' in token && typeof token.text === 'string' ? token.text : token.raw;
  return text.replace(/&(amp|lt|gt|quot|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}

/** Links lead to the web, or nowhere. */
export function safeLink(href: string): string | undefined {
  const url = URL.parse(href);
  return url && (url.protocol === 'https:' || url.protocol === 'http:') ? url.href : undefined;
}

/** Pictures come with the text: nothing is fetched from elsewhere. */
export function safeImage(href: string): string | undefined {
  return /^data:image\/(png|jpeg|gif|webp|avif);base64,[A-Za-z0-9+/=]+$/.test(href) ? href : undefined;
}
