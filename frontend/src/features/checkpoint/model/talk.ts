import type { TalkFragment } from '../../../gql/types';
import { doerName } from './people';

export interface Saying {
  readonly id: string;
  readonly at: string;
  readonly who: string;
  readonly text: string;
  readonly question: boolean;
  readonly answer: { readonly who: string; readonly text: string } | null;
}

/** Comments and questions as one conversation, oldest first. */
export function talkOf({ comments, questions }: TalkFragment): Saying[] {
  const said = comments.map(({ id, at, by, text }) => ({ id, at, who: doerName(by), text, question: false, answer: null }));
  const asked = questions.map(({ id, at, by, text, answer }) => ({
    id,
    at,
    who: doerName(by),
    text,
    question: true,
    answer: answer ? { who: doerName(answer.by), text: answer.text } : null,
  }));
  return [...said, ...asked].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}
