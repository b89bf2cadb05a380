/** Views that do something wrong, one thing each. */
import { viewPage } from './viewScript.ts';

const BODY = '<h1>Wrong</h1><p id="input"></p><p id="result"></p><p id="seen"></p>';
const TOLD = `
  on['tool-input'] = ({ arguments: args }) => show('input', JSON.stringify(args));
  on['tool-result'] = (result) => show('result', result.content?.[0]?.text ?? '');
`;

/** Orders again each time that it is opened: a reload orders twice. */
export const ORDERS_AGAIN = viewPage(
  BODY,
  `${TOLD} initialize().then(() => request('tools/call', { name: 'order', arguments: { item: 'tea' } })).catch(() => undefined);`,
);

/** Loads what it didn't declare. */
export const UNDECLARED = viewPage(
  `${BODY}<img src="https://undeclared.example/a.png" alt="">`,
  `${TOLD} fetch('https://undeclared.example/data').catch(() => undefined);
  initialize();`,
);

/** Needs storage to start. */
export const NEEDS_STORAGE = viewPage(BODY, `${TOLD} localStorage.setItem('a', 'b'); initialize();`);

/** Doesn't speak at all. */
export const SILENT = viewPage('<h1>Silent</h1>', '');

/** Shows its result only if it was told the input of a first opening, and stays empty after a reload. */
export const FORGETFUL = viewPage(
  BODY,
  `let first = false;
  try { first = localStorage.getItem('forgetful') === null; localStorage.setItem('forgetful', '1'); } catch {}
  if (first) { ${TOLD} }
  if (first) initialize();`,
);

/** Tries everything that it may not. The outcome of each is in its page. */
export const HOSTILE = viewPage(
  '<h1>Hostile</h1><ul id="tries"></ul><button id="flood">Flood</button><button id="huge">Huge</button><button id="loop">Loop</button><button id="spin">Spin</button><button id="away">Away</button>',
  `
  const note = (text) => { const li = document.createElement('li'); li.textContent = text; document.getElementById('tries').append(li); };
  const tries = {
    'host DOM': () => window.top.document.title,
    'host storage': () => window.top.localStorage.length,
    'host cookies': () => window.top.document.cookie,
    'host script': () => window.top.reprise.calls(),
    'top navigation': () => { window.top.location.href = 'https://evil.example/'; },
    'parent navigation': () => { window.parent.parent.location = 'about:blank'; },
    'new window': () => window.open('https://evil.example/'),
    'dialog': () => confirm('hello'),
    'link to a new window': () => follow({ href: 'https://evil.example/', target: '_blank' }),
    'download': () => follow({ href: 'data:text/plain,hello', download: 'evil.txt' }),
  };
  const follow = (attributes) => {
    const link = Object.assign(document.createElement('a'), attributes);
    document.body.append(link);
    link.click();
    link.remove();
  };
  for (const [name, attempt] of Object.entries(tries)) {
    try { note(name + ': returned ' + attempt()); } catch (error) { note(name + ': ' + error.name); }
  }
  const form = document.createElement('form');
  form.action = 'https://evil.example/'; form.target = '_top'; document.body.append(form);
  try { form.submit(); } catch {}
  document.getElementById('flood').onclick = () => {
    for (let i = 0; i < 100000; i += 1) notify('ui/notifications/size-changed', { width: i, height: i });
    note('flooded');
  };
  document.getElementById('huge').onclick = () => {
    notify('notifications/message', { level: 'info', data: 'x'.repeat(50 * 1024 * 1024) });
    note('sent 50 MB');
  };
  document.getElementById('loop').onclick = () => {
    let height = 100;
    setInterval(() => notify('ui/notifications/size-changed', { width: 1, height: (height += 50) }), 1);
  };
  document.getElementById('spin').onclick = () => { for (;;); };
  document.getElementById('away').onclick = () => { location.href = 'https://evil.example/'; };
  initialize();
  `,
);
