/** What a first visit starts with; later visits find the tabs they left. Named, because the names become the tabs' titles. */
export const DEFAULT_TABS = [
  {
    query: `# Who is asking, and what may they do?
query Viewer {
  viewer {
    displayName
    roles
    workspace {
      name
    }
  }
}
`,
  },
  {
    query: `# Everything that happens in the workspace, as it happens.
subscription AuditEvents {
  auditEvents {
    cursor
    entry {
      at
      action
    }
  }
}
`,
  },
];
