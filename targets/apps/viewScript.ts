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
    const answer = on[name]?.(data.params);
    if (data.id !== undefined) send({ id: data.id, result: answer ?? {} });
  });
  const initialize = async (modes = ['inline', 'fullscreen', 'pip']) => {
    const result = await request('ui/initialize', {
      appInfo: { name: 'target-view', version: '1.0.0' },
      appCapabilities: { availableDisplayModes: modes },
      protocolVersion: '2026-01-26',
    });
    notify('ui/notifications/initialized');
    return result;
  };
`;

export const viewPage = (body: string, script: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>A view</title></head>
<body>${body}<script>${VIEW_SCRIPT}${script}</script></body></html>`;
