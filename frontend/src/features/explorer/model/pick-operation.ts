import { Kind, parse, type DocumentNode, type OperationDefinitionNode } from 'graphql';

export interface Picked {
  operationName: string | undefined;
  isSubscription: boolean;
}

/**
 * Which operation of the document to run. GraphiQL tells the name and the kind too, but only a moment after an edit or a change
 * of tabs; who is quicker would send the last tab's name along with this tab's text.
 */
export function pickOperation(query: string, wanted: string | undefined): Picked {
  const operations = operationsOf(query);
  const picked = operations.find(({ name }) => name?.value === wanted) ?? (operations.length === 1 ? operations[0] : undefined);
  return {
    operationName: picked ? picked.name?.value : wanted,
    isSubscription: picked?.operation === 'subscription',
  };
}

function operationsOf(query: string): OperationDefinitionNode[] {
  let document: DocumentNode;
  try {
    document = parse(query, { noLocation: true });
  } catch {
    // The server explains syntax errors better than we could.
    return [];
  }
  return document.definitions.filter((definition) => definition.kind === Kind.OPERATION_DEFINITION);
}
