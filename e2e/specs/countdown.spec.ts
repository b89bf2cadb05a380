// "Reconnecting in 4 s (attempt 1)" counts down; who listens to the page hears the sentence once.
import { expect, test } from './inspector.ts';

test('the time until the next try counts down, and is not announced every second', async ({
  inspector,
  target,
}) => {
  const { page } = inspector;
  const server = await target('resumable', { overrides: { retryMs: 4000 } });
  await inspector.connect(server.url);
  const watched = page.evaluate(
    () =>
      new Promise<{ left: string[]; heard: string[] }>((resolve) => {
        const status = document.querySelector('[role=status]');
        const left: string[] = [];
        const heard: string[] = [];
        const note = (list: string[], text: string) => list.at(-1) !== text && list.push(text);
        const observer = new MutationObserver(() => {
          const text = status?.textContent ?? '';
          note(left, / in (\d+) s\b/.exec(text)?.[1] ?? '');
          const spoken = status?.cloneNode(true) as Element;
          for (const silent of spoken.querySelectorAll('[aria-hidden=true]')) silent.remove();
          note(heard, spoken.textContent.trim());
          if (left.some((one) => one !== '' && Number(one) <= 2)) {
            observer.disconnect();
            resolve({ left, heard });
          }
        });
        if (status) observer.observe(status, { subtree: true, childList: true, characterData: true });
      }),
  );
  await server.control('drop-streams');
  const { left, heard } = await watched;
  const seconds = left.filter((one) => one !== '').map(Number);
  // A busy page may miss one of them.
  expect(seconds.length).toBeGreaterThan(1);
  // Up to a quarter more than the server asked for, so that clients don't come back all at once.
  expect(seconds).toEqual([5, 4, 3, 2, 1].filter((one) => seconds.includes(one)));
  expect(heard).toEqual(['Reconnecting (attempt 1). Connection lost.']);
});
