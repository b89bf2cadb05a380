/** The script that every view of the targets begins with: MCP Apps by hand, without a library. */
const VIEW_SCRIPT = `
  let nextId = 1;
  const pending = new Map();
  const show = (id, text) => { document.getElementById(id).textContent = text; };
  const send = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*');
  const notify = (method, params = {}) => send({ method, params });
  const request = (method, params = {}) => new Promise((resolve, reject) => {
    const id = nextId++;
    pending.set(id, { resolve, reject });
    send({ id, method, params });
  });
  const dress = ({ theme, styles } = {}) => {
    const { style } = document.documentElement;
    if (theme) style.colorScheme = theme;
    for (const [name, value] of Object.entries(styles?.variables ?? {})) style.setProperty(name, value);
  };
  const seen = [];
  const on = {};
  addEventListener('message', ({ data }) => {
    if (data?.jsonrpc !== '2.0') return;
    if (data.method === undefined) {
      const { resolve, reject } = pending.get(data.id) ?? {};
      return data.error ? reject?.(data.error) : resolve?.(data.result);
    }
    const name = data.method.replace('ui/notifications/', '').replace('ui/', '');
    seen.push(name);
    if (document.getElementById('seen')) show('seen', seen.join(' '));
    if (name === 'host-context-changed') dress(data.params);
    const answer = on[name]?.(data.params);
    if (data.id !== undefined) send({ id: data.id, result: answer ?? {} });
  });
  const initialize = async (modes = ['inline', 'fullscreen', 'pip']) => {
    const result = await request('ui/initialize', {
      appInfo: { name: 'target-view', version: '1.0.0' },
      appCapabilities: { availableDisplayModes: modes },
      protocolVersion: '2026-01-26',
    });
    dress(result.hostContext);
    notify('ui/notifications/initialized');
    return result;
  };
`;

/** With the colors and fonts of the host, where it gives them. */
const STYLE = `
  body { margin: 12px; font: 14px/1.5 var(--font-sans, system-ui, sans-serif);
    color: var(--color-text-primary, CanvasText); background: var(--color-background-primary, Canvas); }
  h1 { margin: 0 0 8px; font-size: 18px; }
  button { margin: 0 4px 4px 0; padding: 2px 8px; font: inherit; color: inherit; cursor: pointer;
    border: 1px solid var(--color-border-primary, ButtonBorder); border-radius: var(--border-radius-sm, 6px);
    background: var(--color-background-secondary, ButtonFace); }
  dl { display: grid; grid-template-columns: max-content 1fr; gap: 2px 12px; margin: 8px 0 0; }
  dt { color: var(--color-text-secondary, GrayText); }
  dd { margin: 0; overflow-wrap: anywhere; font: 12px/21px var(--font-mono, monospace); }
`;

export const viewPage = (body: string, script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A view</title>
<style>${STYLE}</style></head>
<body>${body}<script>${VIEW_SCRIPT}${script}</script></body></html>`;
