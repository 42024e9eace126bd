import { Fragment } from 'react';
import { sentence } from './errors';
import classes from './code-text.module.css';
import { Plain } from './plain';

/** With its group, `split` returns what stands outside of backticks and what stands between them, in turns. */
const SPAN = /`([^`]+)`/g;

/**
 * A sentence that the server wrote, in which names stand between backticks. No other markup is known, and nothing of it becomes
 * HTML: everything else stays the text that it is.
 */
export function CodeText({ children }: { children: string }) {
  return children.split(SPAN).map((part, index) => {
    // oxlint-disable-next-line react/no-array-index-key -- parts may repeat, and never move
    return index % 2 === 1 ? <code key={index} className={classes.code}><Plain>{part}</Plain></code> : <Fragment key={index}>{part === '' ? '' : <Plain>{part}</Plain>}</Fragment>;
  });
}

/** What the server says about one field, for beside it; nothing when it says nothing. */
export const told = (message: string | undefined) => (message === undefined ? undefined : <CodeText>{sentence(message)}</CodeText>);

/** The same sentence for where only a text can stand, such as a tooltip of the browser's. */
export const withoutMarks = (text: string): string => text.replaceAll(SPAN, '$1');
