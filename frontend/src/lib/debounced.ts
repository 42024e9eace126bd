/** Runs the work once after a burst of calls; during a long burst, once in every `ms`. */
export function debounced(work: () => void, ms: number): () => void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  return () => {
    timer ??= setTimeout(() => {
      timer = null;
      work();
    }, ms);
  };
}
