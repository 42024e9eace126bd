import { expect } from '@playwright/test';
import type { CountersignServer } from './server';

type Role = 'ADMIN' | 'APPROVER' | 'AUTHOR' | 'OPERATOR' | 'VIEWER';

interface Answer {
  data?: Record<string, unknown> | null;
  errors?: { message: string }[];
}

export interface Person {
  email: string;
  password: string;
  displayName: string;
}

/** The API as a test uses it to prepare what the browser is to see. Whatever goes wrong fails the test. */
export class Api {
  readonly #url: string;
  readonly #token: string | undefined;
  readonly #server: CountersignServer | undefined;
  #people = 0;

  constructor(url: string, token?: string, server?: CountersignServer) {
    this.#url = url;
    this.#token = token;
    this.#server = server;
  }

  /** With the rights of an administrator. */
  static async admin(server: CountersignServer): Promise<Api> {
    const token = await server.cli('token', 'create', '--role', 'admin', '--name', `e2e ${Date.now()}`);
    return new Api(server.url, token, server);
  }

  get token(): string {
    if (this.#token === undefined) throw new Error('this is the API without a token');
    return this.#token;
  }

  /** Sends an operation; `Data` is what the test knows to be in the answer. */
  async send<Data = Record<string, never>>(query: string, variables: object = {}): Promise<Data> {
    const headers = { 'content-type': 'application/json', ...(this.#token ? { authorization: `Bearer ${this.#token}` } : {}) };
    const response = await fetch(`${this.#url}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });
    const answer = (await response.json()) as Answer;
    expect(answer.errors, query).toBeUndefined();
    for (const payload of Object.values(answer.data ?? {})) {
      const refused = payload !== null && typeof payload === 'object' && 'userErrors' in payload ? payload.userErrors : [];
      expect(refused, query).toEqual([]);
    }
    return answer.data as Data;
  }

  /** A one-time sign-in link of a new person, from the operator: API tokens are given none. */
  async invite(displayName: string, roles: Role[]): Promise<{ email: string; link: string }> {
    if (this.#server === undefined) throw new Error('only the administrator’s API invites');
    this.#people += 1;
    const email = `${displayName.toLowerCase().replaceAll(/\W+/g, '.')}.${this.#people}.${Date.now()}@example.com`;
    const roleArguments = roles.flatMap((role) => ['--role', role.toLowerCase()]);
    const printed = await this.#server.cli('user', 'invite', '--email', email, '--name', displayName, ...roleArguments);
    return { email, link: `${this.#url}/sign-in${new URL(printed).hash}` };
  }

  /** Somebody who has already chosen a password. */
  async person(displayName: string, roles: Role[]): Promise<Person> {
    const { email, link } = await this.invite(displayName, roles);
    const token = link.split('#token=')[1];
    const { redeemSignInLink } = await new Api(this.#url).send<{ redeemSignInLink: { session: { accessToken: string } } }>(
      'mutation ($input: RedeemSignInLinkInput!) { redeemSignInLink(input: $input) { session { accessToken } userErrors { code message path } } }',
      { input: { token } },
    );
    const password = `correct horse ${Math.random().toString(36).slice(2)}`;
    await new Api(this.#url, redeemSignInLink.session.accessToken).send(
      'mutation ($input: ChangePasswordInput!) { changePassword(input: $input) { userErrors { code message path } } }',
      { input: { newPassword: password } },
    );
    return { email, password, displayName };
  }

  /** The API as somebody uses it who signed in. */
  async as({ email, password }: Person): Promise<Api> {
    const { signIn } = await new Api(this.#url).send<{ signIn: { session: { accessToken: string } } }>(
      'mutation ($input: SignInInput!) { signIn(input: $input) { session { accessToken } userErrors { code message path } } }',
      { input: { email, password } },
    );
    return new Api(this.#url, signIn.session.accessToken);
  }

  /** Asks for a countersign, as an agent from outside does; returns the checkpoint's id. */
  async requestApproval(input: Record<string, unknown>): Promise<string> {
    const { requestApproval } = await this.send<{ requestApproval: { checkpoint: { id: string } } }>(
      'mutation ($input: RequestApprovalInput!) { requestApproval(input: $input) { checkpoint { id } userErrors { code message path } } }',
      { input: { operationType: 'mail.send', parameters: {}, riskLevel: 'MEDIUM', ...input } },
    );
    return requestApproval.checkpoint.id;
  }
}
