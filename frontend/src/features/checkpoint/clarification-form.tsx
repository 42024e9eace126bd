import { Stack } from '@mantine/core';
import { useState } from 'react';
import { validate } from '../../components/schema-form/validate';
import { AnswerField } from './answer-field';
import { unanswered } from './model/answers';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';
import type { Decide } from './use-decide';
import { ValueSection } from './value-section';

/** The form that the button in the bar below sends. */
export const ANSWERS = 'answers';

interface Props {
  checkpoint: Checkpoint;
  decide: Decide;
  open: boolean;
}

type Question = Checkpoint['proposal']['questions'][number];

/** What somebody wants to know from people: a field for each question, of the form that its schema asks for. */
export function ClarificationForm({ checkpoint: { proposal, outcome }, decide, open }: Props) {
  const [answers, setAnswers] = useState<Readonly<Record<string, unknown>>>({});
  const [tried, setTried] = useState(false);
  const { questions } = proposal;

  if (outcome) {
    return <ValueSection title="Answers" value={outcome.answers} schema={titles(questions)} name="answers" nothing="There are none." />;
  }

  async function submit() {
    setTried(true);
    const complete = unanswered(questions, answers).length === 0 && questions.every(({ id, schema }) => validate(schema, answers[id]).length === 0);
    if (complete) await decide.answer(answers, '');
  }

  const missing = new Set(tried ? unanswered(questions, answers) : []);
  return (
    <Section title={questions.length === 1 ? 'The question' : `${questions.length} questions`}>
      <Stack component="form" id={ANSWERS} gap="lg" onSubmit={(event) => (event.preventDefault(), void submit())}>
        {questions.map((question) => (
          <AnswerField
            key={question.id}
            question={question}
            value={answers[question.id]}
            onChange={(value) => setAnswers((before) => ({ ...before, [question.id]: value }))}
            disabled={!open}
            missing={missing.has(question.id)}
          />
        ))}
      </Stack>
    </Section>
  );
}

const titles = (questions: readonly Question[]) => ({ properties: Object.fromEntries(questions.map(({ id, text }) => [id, { title: text }])) });
