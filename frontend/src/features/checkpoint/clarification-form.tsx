import { Alert, Button, Stack, Text, Textarea } from '@mantine/core';
import { useState } from 'react';
import { SchemaForm } from '../../components/schema-form/schema-form';
import { validate } from '../../components/schema-form/validate';
import { describe } from '../../lib/errors';
import { unanswered } from './model/answers';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';
import type { Decide } from './use-decide';
import { ValueViews } from './value-views';

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
    return (
      <Section title="Answers">
        <ValueViews value={outcome.answers} schema={titles(questions)} name="answers" nothing="There are none." />
      </Section>
    );
  }

  async function submit() {
    setTried(true);
    const complete = unanswered(questions, answers).length === 0 && questions.every(({ id, schema }) => validate(schema, answers[id]).length === 0);
    if (complete) await decide.answer(answers, '');
  }

  const missing = new Set(tried ? unanswered(questions, answers) : []);
  return (
    <Section title={questions.length === 1 ? 'The question' : `${questions.length} questions`}>
      <Stack component="form" gap="lg" onSubmit={(event) => (event.preventDefault(), void submit())}>
        {questions.map((question) => (
          <Answer
            key={question.id}
            question={question}
            value={answers[question.id]}
            onChange={(value) => setAnswers((before) => ({ ...before, [question.id]: value }))}
            disabled={!open}
            missing={missing.has(question.id)}
          />
        ))}
        {decide.error && (
          <Alert color="red" role="alert">
            {describe(decide.error)}
          </Alert>
        )}
        {open && (
          <Button type="submit" loading={decide.answering} style={{ alignSelf: 'flex-start' }}>
            {questions.length === 1 ? 'Send the answer' : 'Send the answers'}
          </Button>
        )}
      </Stack>
    </Section>
  );
}

interface AnswerProps {
  question: Question;
  value: unknown;
  onChange: (value: unknown) => void;
  disabled: boolean;
  missing: boolean;
}

function Answer({ question: { text, schema }, value, onChange, disabled, missing }: AnswerProps) {
  const problem = missing ? 'This needs an answer.' : undefined;
  if (schema === null || schema === undefined) {
    return (
      <Textarea
        label={text}
        value={typeof value === 'string' ? value : ''}
        onChange={(event) => onChange(event.currentTarget.value)}
        disabled={disabled}
        error={problem}
        autosize
        minRows={2}
      />
    );
  }
  return (
    <div>
      <SchemaForm schema={{ title: text, ...(typeof schema === 'object' ? schema : {}) }} value={value} onChange={onChange} disabled={disabled} label={text} layout="form" />
      {problem !== undefined && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          {problem}
        </Text>
      )}
    </div>
  );
}

const titles = (questions: readonly Question[]) => ({ properties: Object.fromEntries(questions.map(({ id, text }) => [id, { title: text }])) });
