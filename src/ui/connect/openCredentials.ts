/** Opens the fields for credentials, where a bearer token is typed. */
export function openCredentials(): void {
  const details = document.querySelector<HTMLDetailsElement>('#credentials');
  if (!details) return;
  details.open = true;
  details.querySelector<HTMLInputElement>('input[type=password]')?.focus();
}
