import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'react-router';
import { CodeText } from '../../lib/code-text';
import { sentence } from '../../lib/errors';
import { Plain } from '../../lib/plain';
import classes from './checkpoint.module.css';
import { shortText } from './model/readable';
import { Section } from './section';
import type { Checkpoint } from './use-checkpoint';

/** Why people are asked, or why nobody needed to be: the rule, what it compares, with what, and what it found. */
export function Why({ checkpoint: { reasons, rule, status, policyVersion } }: { checkpoint: Checkpoint }) {
  const byRule = status === 'AUTO_APPROVED';
  const compared = reasons.filter(({ field, operator }) => field !== null && operator !== null);
  return (
    <Section title={byRule ? 'Why nobody was asked' : 'Why it stops'}>
      {rule === null && reasons.length === 0 && <Text size="sm">No rule of the policy asks for it: whoever requested it does.</Text>}
      {rule !== null && (
        <Text size="sm" mb={reasons.length > 0 ? 'xs' : 0}>
          The rule <strong>“<Plain>{rule}</Plain>”</strong> {byRule ? 'approved it' : 'asks for people'}
          {policyVersion !== null && (
            <>
              {' '}
              (
              <Anchor component={Link} to="/policies" size="sm" underline="always">
                policy, version {policyVersion}
              </Anchor>
              )
            </>
          )}
          .
        </Text>
      )}
      {reasons.length > 0 && (
        <List size="sm" spacing={4}>
          {reasons.map(({ message, condition, field }) => (
            <List.Item key={`${condition} ${field} ${message}`}><CodeText>{sentence(message)}</CodeText></List.Item>
          ))}
        </List>
      )}
      {compared.length > 0 && <Comparisons reasons={compared} />}
    </Section>
  );
}

function Comparisons({ reasons }: { reasons: Checkpoint['reasons'] }) {
  return (
    <div className={classes.scroll}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col">Looked at</th>
            <th scope="col">Found</th>
            <th scope="col">Threshold</th>
          </tr>
        </thead>
        <tbody>
          {reasons.map(({ condition, field, operator, threshold, value, message }) => (
            <tr key={`${condition} ${field} ${message}`}>
              <th scope="row"><Plain isKey>{field ?? condition.replaceAll('_', ' ')}</Plain></th>
              <td><Plain>{shortText(value)}</Plain></td>
              <td>
                {operator} {threshold === null ? '' : <Plain>{shortText(threshold)}</Plain>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
