/** The style variables of SEP-1865 ("Theming"), each from one of the page's own. All colors, so that none clash. */
const COLORS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  background: {
    primary: '--surface',
    secondary: '--bg',
    tertiary: '--sunken',
    inverse: '--text',
    ghost: '--surface',
    info: '--accent-soft',
    danger: '--bad-soft',
    success: '--accent-soft',
    warning: '--look-soft',
    disabled: '--sunken',
  },
  text: {
    primary: '--text',
    secondary: '--muted',
    tertiary: '--muted',
    inverse: '--surface',
    ghost: '--muted',
    info: '--accent',
    danger: '--bad',
    success: '--good',
    warning: '--look',
    disabled: '--edge',
  },
  border: {
    primary: '--line',
    secondary: '--line',
    tertiary: '--line',
    inverse: '--text',
    ghost: '--line',
    info: '--accent',
    danger: '--bad',
    success: '--good',
    warning: '--look',
    disabled: '--line',
  },
  ring: {
    primary: '--accent',
    secondary: '--edge',
    inverse: '--surface',
    info: '--accent',
    danger: '--bad',
    success: '--good',
    warning: '--look',
  },
};

const OTHERS: Readonly<Record<string, string>> = {
  '--font-sans': '--sans',
  '--font-mono': '--mono',
  '--font-text-sm-size': '--normal',
  '--font-text-md-size': '--normal',
  '--font-heading-md-size': '--title',
  '--border-radius-md': '--radius',
};

/** @param read gives the value of one of the page's own variables */
export function styleVariables(read: (name: string) => string): Readonly<Record<string, string>> {
  const colors = Object.entries(COLORS).flatMap(([group, names]) =>
    Object.entries(names).map(([name, own]) => [`--color-${group}-${name}`, read(own)] as const),
  );
  const others = Object.entries(OTHERS).map(([name, own]) => [name, read(own)] as const);
  return Object.fromEntries([...colors, ...others].filter(([, value]) => value !== ''));
}
