/** The moving picture of the README: a real call, a real reload in the middle, recorded as screenshots with captions. */
import { writeFile } from 'node:fs/promises';
import type { Browser, Page } from '@playwright/test';
import { animatedWebp, type Frame } from './animatedWebp.ts';

const VIEW = { width: 1180, height: 660 };
const CAPTION_HEIGHT = 40;
/** Half of what the browser draws is enough for text of this size. */
const SCALE = 0.85;
const SIZE = {
  width: Math.round(VIEW.width * SCALE),
  height: Math.round((VIEW.height + CAPTION_HEIGHT) * SCALE),
};
const QUALITY = 0.72;

interface Shot {
  readonly png: Buffer;
  readonly caption: string;
  readonly durationMs: number;
}

export async function makeReloadPicture(browser: Browser, siteUrl: string, file: string): Promise<void> {
  const shots = await record(browser, siteUrl);
  const encoder = await browser.newPage();
  const frames: Frame[] = [];
  for (const shot of shots) {
    frames.push({ picture: await encode(encoder, shot), durationMs: shot.durationMs });
  }
  await encoder.close();
  await writeFile(file, animatedWebp(frames, SIZE));
}

async function record(browser: Browser, siteUrl: string): Promise<readonly Shot[]> {
  const page = await browser.newPage({ viewport: VIEW, colorScheme: 'light' });
  const shots: Shot[] = [];
  const shoot = async (caption: string, durationMs: number) => {
    shots.push({ png: await page.screenshot(), caption, durationMs });
  };
  const received = (count: number) =>
    page.waitForFunction((least) => (window.reprise.calls()[0]?.received ?? 0) >= least, count);

  await page.goto(siteUrl);
  await page.getByRole('button', { name: 'Open the demo' }).click();
  await page.getByRole('list', { name: 'Tools' }).getByRole('button', { name: 'countdown' }).click();
  await page.getByLabel('ticks').fill('40');
  await page.getByLabel('intervalMs').fill('120');
  await shoot('A tool that reports its progress', 1200);
  await page.getByRole('button', { name: 'Call', exact: true }).click();
  for (const count of [6, 14, 22, 30]) {
    await received(count);
    await shoot('The call is running', 350);
  }
  await shoot('F5 in the middle of the call', 1100);
  await page.reload({ waitUntil: 'commit' });
  await shoot('The page reloads. The tool keeps running.', 500);
  await page.getByRole('status').getByText('Recovered').first().waitFor();
  const status = await page.getByRole('status').getByText('Recovered').first().innerText();
  for (const count of [48, 58, 68, 78]) {
    await received(count);
    await shoot(status, 500);
  }
  await page.waitForFunction(() => window.reprise.calls()[0]?.settledAt !== undefined);
  await page.getByText('done').first().waitFor();
  await shoot('The result has arrived. Each event is shown once.', 3000);
  await page.close();
  return shots;
}

/** Draws the caption below the screenshot. The browser encodes WebP by itself, so no library has to. */
async function encode(page: Page, { png, caption }: Shot): Promise<Buffer> {
  const data = await page.evaluate(
    async ({ base64, text, size, barHeight, quality }) => {
      const picture = new Image();
      picture.src = `data:image/png;base64,${base64}`;
      await picture.decode();
      const canvas = document.createElement('canvas');
      canvas.width = size.width;
      canvas.height = size.height;
      const context = canvas.getContext('2d', { alpha: false });
      if (!context) throw new Error('This browser has no canvas.');
      context.imageSmoothingQuality = 'high';
      context.drawImage(picture, 0, 0, size.width, size.height - barHeight);
      context.fillStyle = '#3f3a9e';
      context.fillRect(0, size.height - barHeight, size.width, barHeight);
      context.fillStyle = '#ffffff';
      context.font = '600 17px system-ui, sans-serif';
      context.textBaseline = 'middle';
      context.fillText(text, 16, size.height - barHeight / 2);
      return canvas.toDataURL('image/webp', quality);
    },
    {
      base64: png.toString('base64'),
      text: caption,
      size: SIZE,
      barHeight: Math.round(CAPTION_HEIGHT * SCALE),
      quality: QUALITY,
    },
  );
  return Buffer.from(data.slice(data.indexOf(',') + 1), 'base64');
}
