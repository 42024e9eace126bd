/** The schema of what a workflow takes; null when its document has none. */
export function inputSchemaOf(definition: unknown): unknown {
  return typeof definition === 'object' && definition !== null && 'inputSchema' in definition ? (definition.inputSchema ?? null) : null;
}
