import { useState } from 'react';
import { useParams } from 'react-router';
import { ExecutionView } from './execution-view';

/** Each execution begins with nothing of the one before it, and so does another try to load one. */
export function ExecutionPage() {
  const { id = '' } = useParams();
  const [attempt, setAttempt] = useState(0);
  return <ExecutionView key={`${id} ${attempt}`} id={id} onRetry={() => setAttempt(attempt + 1)} />;
}
