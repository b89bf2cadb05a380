/** A log in a file of its own: the script of an exported page. It draws with the same components as the app. */
import { mount } from 'svelte';
import { FrameBatcher } from './base/frameBatcher.ts';
import { errorMessage } from './base/format.ts';
import { readEmbedded } from './state/playback/readEmbedded.ts';
import { Shortcuts } from './state/shortcuts.ts';
import { ThemeChoice } from './state/theme.svelte.ts';
import { memoryText } from './state/storage/keptText.ts';
import Viewer from './ui/viewer/Viewer.svelte';

const target = document.getElementById('app') ?? document.body;

async function start(): Promise<void> {
  const text = document.getElementById('log')?.textContent ?? '';
  const kept = memoryText();
  const { playback, about } = await readEmbedded(text, new FrameBatcher(), kept);
  document.title = `${about.server}: log`;
  mount(Viewer, {
    target,
    props: {
      playback,
      about,
      shortcuts: new Shortcuts(/mac|iphone|ipad/i.test(navigator.platform)),
      theme: new ThemeChoice(kept),
    },
  });
}

start().catch((error: unknown) => {
  target.textContent = `This log can’t be shown. ${errorMessage(error)}`;
});
