/** Hands a text, or anything else, to the browser to be saved. */
export function saveFile(name: string, content: string | Blob, type = 'text/plain'): void {
  const url = URL.createObjectURL(typeof content === 'string' ? new Blob([content], { type }) : content);
  const link = document.createElement('a');
  link.href = url;
  link.download = name.replaceAll(/[^\w.-]+/g, '-');
  link.click();
  // The download has begun by then; some browsers read the address only after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}
