// What the pages on a React hook share.
import { createElement, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { button, serverUrl, show } from './page.mjs';

export function run(useMcp) {
  function App() {
    const { state, callTool } = useMcp({ url: serverUrl, clientName: 'hook-page', autoReconnect: true });
    useEffect(() => {
      button.disabled = state !== 'ready';
      button.onclick = async () => {
        await callTool('report', {});
        show('Report ready');
      };
    });
    return null;
  }
  createRoot(document.body.appendChild(document.createElement('div'))).render(createElement(App));
}
