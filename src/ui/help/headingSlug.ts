/** The name of a heading in a link, as GitHub makes it: `## Read a failure` is `#read-a-failure`. */
export function headingSlug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(' ', '-');
}
