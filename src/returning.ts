/**
 * Runs before the app is there: a page that comes back to a server asks at once for the scripts that draw it, instead of
 * when the app has come and was read.
 */
const isReturning = (): boolean => {
  try {
    return sessionStorage.getItem('reprise.selected') !== null;
  } catch {
    // Where storage is blocked there is nothing to come back to.
    return false;
  }
};

if (isReturning()) {
  const parts = document.querySelector<HTMLMetaElement>('meta[name="returning-parts"]')?.content ?? '';
  for (const href of parts.split(' ').filter(Boolean)) {
    // Not `modulepreload`: that would also compile them, and the app is to run first.
    const as = href.endsWith('.css') ? 'style' : 'script';
    const link = { rel: 'preload', as, href, crossOrigin: '' };
    document.head.append(Object.assign(document.createElement('link'), link));
  }
}

export {};
