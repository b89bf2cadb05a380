/** The server has answered, with a status: what it means is decided by who has recorded it. */
export class RequestRefused extends Error {
  override readonly name = 'RequestRefused';
  readonly status: number;
  readonly body: string;

  constructor({ status, text }: { readonly status: number; readonly text: string }) {
    super(status === 0 ? 'The server redirects to another URL.' : `HTTP ${status}: ${text}`);
    this.status = status;
    this.body = text;
  }
}
