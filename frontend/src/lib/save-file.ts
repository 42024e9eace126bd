/** Hands a text to the browser to be saved. */
export function saveFile(name: string, content: string, type: string): void {
  const url = URL.createObjectURL(new Blob([content], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  // The download has begun by then; some browsers read the address only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
