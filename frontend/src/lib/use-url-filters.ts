import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

/**
 * Filters that live in the address, so that a link, a reload and the back button keep them. `parse` turns the parameters into
 * the page's own filter, and must be a constant function; unknown values should fall back to none.
 *
 * `set` takes null to remove a parameter and a list for one that may occur several times. It replaces the entry in the history:
 * each keystroke in a search field should not be a step back.
 */
export function useUrlFilters<Filters>(parse: (params: URLSearchParams) => Filters) {
  const [params, setParams] = useSearchParams();
  const filters = useMemo(() => parse(params), [parse, params]);

  const set = useCallback(
    (changes: Record<string, string | readonly string[] | null>) =>
      setParams((before) => changed(before, changes), { replace: true, preventScrollReset: true }),
    [setParams],
  );
  const clear = useCallback(() => setParams({}, { replace: true }), [setParams]);

  return { filters, set, clear, active: params.size > 0 };
}

export function changed(before: URLSearchParams, changes: Record<string, string | readonly string[] | null>): URLSearchParams {
  const next = new URLSearchParams(before);
  for (const [name, value] of Object.entries(changes)) {
    next.delete(name);
    const values = typeof value === 'string' ? [value] : (value ?? []);
    for (const one of values) if (one !== '') next.append(name, one);
  }
  next.sort();
  return next;
}

/** The values of a parameter that are among the known ones. */
export function known<Value extends string>(params: URLSearchParams, name: string, values: readonly Value[]): Value[] {
  return params.getAll(name).filter((value): value is Value => (values as readonly string[]).includes(value));
}
