/** The page on which a person lets a client in, or not. */
export interface Consent {
  readonly clientName: string;
  readonly scopes: readonly string[];
  /** Sent back unchanged with the decision. */
  readonly parameters: URLSearchParams;
}

export function consentPage({ clientName, scopes, parameters }: Consent): Response {
  const hidden = [...parameters].map(
    ([name, value]) => `<input type="hidden" name="${escape(name)}" value="${escape(value)}">`,
  );
  return html(
    200,
    `<h1>Allow ${escape(clientName)}?</h1>
    <p>Requested scopes: ${scopes.map((scope) => `<code>${escape(scope)}</code>`).join(', ')}</p>
    <form method="post">
      ${hidden.join('\n      ')}
      <button name="decision" value="approve">Approve</button>
      <button name="decision" value="approve-short">Approve for 5 seconds</button>
      <button name="decision" value="deny">Deny</button>
    </form>`,
  );
}

/** For what must not be sent to a redirect address that is not known to be the client's. */
export function errorPage(message: string): Response {
  return html(400, `<h1>Invalid request</h1><p>${escape(message)}</p>`);
}

function html(status: number, body: string): Response {
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Reprise target</title><body>${body}</body></html>`;
  const headers = { 'content-type': 'text/html; charset=utf-8', 'cache-control': 'no-store' };
  return new Response(page, { status, headers });
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
