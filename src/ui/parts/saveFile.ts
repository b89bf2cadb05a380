/** Hands a file to the browser to be kept. */
export function saveFile(name: string, part: BlobPart, type: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([part], { type }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}
