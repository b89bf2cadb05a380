/** The message that gives the sandbox its document, with the policy and the flags that it has to set. */
import { featuresOf, policyOf } from './policy.ts';
import type { ViewDocument } from './readDocument.ts';
import type { SandboxPlace } from './sandboxPlace.ts';

export const resourceReady = ({ html, ui }: ViewDocument, { attribute }: SandboxPlace): object => ({
  jsonrpc: '2.0',
  method: 'ui/notifications/sandbox-resource-ready',
  params: { html, policy: policyOf(ui['csp']), sandbox: attribute, allow: featuresOf(ui['permissions']) },
});
