/** The OAuth login as an app sees it. Types only. */
import type { WaitOptions } from './clientTypes.ts';

export interface OAuthOptions {
  /** Where the authorization server sends the browser back. Default: this page's URL without query and fragment. */
  readonly redirectUrl?: string | undefined;
  /** For servers without dynamic registration. */
  readonly clientId?: string | undefined;
  /** Not a secret in a web page. Only for servers that insist. */
  readonly clientSecret?: string | undefined;
  /** The address of your Client ID Metadata Document. */
  readonly clientMetadataUrl?: string | undefined;
}

export interface LoginOptions extends WaitOptions {
  /** Default `redirect`. A popup that the browser blocks becomes a redirect. */
  readonly mode?: 'redirect' | 'popup' | undefined;
}
