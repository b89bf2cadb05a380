/** The colours of the theme, as a canvas takes them: it knows nothing of custom properties. */

const NAMES = [
  'text',
  'muted',
  'line',
  'edge',
  'surface',
  'sunken',
  'accent',
  'accent-soft',
  'bad',
  'bad-soft',
  'look',
  'look-soft',
  'ask',
  'ask-soft',
  'replay',
  'replay-soft',
  'good',
] as const;

export type Palette = Readonly<Record<(typeof NAMES)[number], string>> & { readonly font: string };

export function readPalette(host: HTMLElement): Palette {
  const probe = document.createElement('span');
  host.append(probe);
  const colours = NAMES.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  const font = getComputedStyle(probe).fontFamily;
  probe.remove();
  return { ...(Object.fromEntries(colours) as Record<(typeof NAMES)[number], string>), font };
}
