/**
 * Leaves this page and its place in the history. The promise stays pending, so that a control that waits for it keeps saying
 * so until the browser is gone.
 */
export function leaveFor(path: string): Promise<never> {
  location.replace(path);
  return new Promise(() => {});
}
