/** The ids of the questions that have no answer yet; a flag that is off is one. */
export function unanswered(questions: readonly { readonly id: string }[], answers: Readonly<Record<string, unknown>>): string[] {
  return questions.map(({ id }) => id).filter((id) => answers[id] === undefined || answers[id] === null || (typeof answers[id] === 'string' && answers[id].trim() === ''));
}
