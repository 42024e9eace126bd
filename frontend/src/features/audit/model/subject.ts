/** Ids say what they are of; this is the page of each, for those that have one. */
const PAGES: Record<string, (id: string) => string> = {
  exec: (id) => `/executions/${id}`,
  chk: (id) => `/checkpoints/${id}`,
  wf: (id) => `/workflows/${id}`,
  dlv: (id) => `/deliverables/${id}`,
  group: (id) => `/settings/groups?group=${id}`,
};

export function subjectLink(id: string | null): string | null {
  const prefix = id?.split('_')[0] ?? '';
  return id !== null && Object.hasOwn(PAGES, prefix) ? (PAGES[prefix]?.(id) ?? null) : null;
}
