import { graphql } from '../../../gql/documents';
import { useCommand } from '../../../lib/use-command';

const LINK = graphql(`
  mutation CreateSignInLink($input: CreateSignInLinkInput!) {
    createSignInLink(input: $input) {
      signInLink
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const DISABLE = graphql(`
  mutation DisableUser($input: DisableUserInput!) {
    disableUser(input: $input) {
      user {
        ...MemberRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ENABLE = graphql(`
  mutation EnableUser($input: EnableUserInput!) {
    enableUser(input: $input) {
      user {
        ...MemberRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

const ERASE = graphql(`
  mutation ErasePersonalData($input: ErasePersonalDataInput!) {
    erasePersonalData(input: $input) {
      user {
        ...MemberRow
      }
      userErrors {
        code
        message
        path
      }
    }
  }
`);

export function useMemberCommands(userId: string, onChanged: () => void) {
  const link = useCommand(LINK);
  const disable = useCommand(DISABLE, { success: 'Locked out' });
  const enable = useCommand(ENABLE, { success: 'Let in again' });
  const erase = useCommand(ERASE, { success: 'Erased' });
  const input = { input: { userId } };
  const told = (done: unknown) => {
    if (done !== null) onChanged();
    return done !== null;
  };
  return {
    makeLink: async () => (await link.run(input))?.signInLink ?? null,
    disable: async () => told(await disable.run(input)),
    enable: async () => told(await enable.run(input)),
    erase: async () => told(await erase.run(input)),
  };
}
