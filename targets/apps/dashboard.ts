/** A well-behaved view: shows what it was told, and has a button for each thing that a view can ask for. */
import { viewPage } from './viewScript.ts';

const BUTTONS = [
  ['read', 'Read'],
  ['call', 'Call'],
  ['order', 'Order'],
  ['secret', 'Secret'],
  ['slow', 'Slow'],
  ['link', 'Link'],
  ['say', 'Say'],
  ['context', 'Context'],
  ['full', 'Full'],
  ['grow', 'Grow'],
  ['abort', 'Abort'],
  ['leave', 'Leave'],
] as const;

const BODY = `<h1>Dashboard</h1>
${BUTTONS.map(([id, label]) => `<button id="${id}">${label}</button>`).join('')}
<dl><dt>Input</dt><dd id="input"></dd><dt>Partial</dt><dd id="partial"></dd><dt>Result</dt><dd id="result"></dd>
<dt>Cancelled</dt><dd id="cancelled"></dd><dt>Context</dt><dd id="host"></dd>
<dt>Host</dt><dd id="given"></dd><dt>State</dt><dd id="state"></dd>
<dt>Answer</dt><dd id="answer"></dd><dt>Seen</dt><dd id="seen"></dd></dl>`;

const SCRIPT = `
  const answered = (work) => work.then(
    (result) => show('answer', JSON.stringify(result)),
    (error) => show('answer', 'error ' + (error.message ?? error)));
  const press = (id, work) => { document.getElementById(id).onclick = () => answered(work()); };
  const callTool = (name, args = {}) => request('tools/call', { name, arguments: args });
  on['tool-input'] = ({ arguments: args }) => show('input', JSON.stringify(args));
  on['tool-input-partial'] = ({ arguments: args }) => show('partial', JSON.stringify(args));
  on['tool-cancelled'] = ({ reason }) => show('cancelled', reason ?? '');
  on['tool-result'] = (result) => {
    show('result', JSON.stringify(result));
    const key = result._meta?.viewUUID;
    try {
      const opened = Number(localStorage.getItem(key) ?? 0) + 1;
      localStorage.setItem(key, opened);
      show('state', 'opened ' + opened + ' times');
    } catch (error) { show('state', error.name); }
    const { width, height } = document.documentElement.getBoundingClientRect();
    notify('ui/notifications/size-changed', { width, height });
  };
  on['host-context-changed'] = ({ displayMode, theme }) => {
    if (displayMode) show('host', 'mode ' + displayMode);
    if (theme) document.documentElement.dataset.theme = theme;
  };
  press('read', () => request('resources/read', { uri: 'reprise://cities' }));
  press('call', () => callTool('countdown', { ticks: 2, intervalMs: 1 }));
  press('order', () => callTool('order', { item: 'tea' }));
  press('secret', () => callTool('model-only'));
  press('slow', () => callTool('countdown', { ticks: 25, intervalMs: 80 }));
  press('link', () => request('ui/open-link', { url: 'https://example.com/page' }));
  press('say', () => request('ui/message', { role: 'user', content: { type: 'text', text: 'Hello from the view' } }));
  press('context', () => request('ui/update-model-context', { structuredContent: { page: 7 } }));
  press('full', () => request('ui/request-display-mode', { mode: 'fullscreen' }));
  press('grow', () => { notify('ui/notifications/size-changed', { width: 300, height: 640 }); return Promise.resolve('grown'); });
  document.getElementById('abort').onclick = () => {
    const id = nextId;
    answered(callTool('countdown', { ticks: 40, intervalMs: 100 }));
    setTimeout(() => notify('notifications/cancelled', { requestId: id, reason: 'enough' }), 300);
  };
  press('leave', () => { notify('ui/notifications/request-teardown'); return Promise.resolve('leaving'); });
  initialize().then(({ hostContext, hostInfo }) => {
    const { theme, locale, displayMode, toolInfo, styles, ...given } = hostContext;
    show('host', [hostInfo.name, theme, locale, displayMode, toolInfo?.tool.name].join(' '));
    show('given', JSON.stringify({ ...given, call: toolInfo?.id, variables: Object.keys(styles.variables).length }));
  });
`;

export const DASHBOARD = viewPage(BODY, SCRIPT);
