/** The screens that the pictures are taken on. */

export interface Size {
  readonly name: string;
  readonly viewport: { readonly width: number; readonly height: number };
}

export const PAGE_SIZES: readonly Size[] = [
  { name: '1440', viewport: { width: 1440, height: 900 } },
  { name: '1280', viewport: { width: 1280, height: 720 } },
  { name: '1024', viewport: { width: 1024, height: 768 } },
  { name: '390', viewport: { width: 390, height: 844 } },
];

/** Projectors and large screens. */
export const STAGE_SIZES: readonly Size[] = [
  { name: '720p', viewport: { width: 1280, height: 720 } },
  { name: '1080p', viewport: { width: 1920, height: 1080 } },
  { name: '4k', viewport: { width: 3840, height: 2160 } },
];
