import { Anchor, Box, Group, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { visible } from '../lib/hidden';
import { Plain } from '../lib/plain';
import { useTitle } from '../lib/use-title';
import classes from './page-header.module.css';

interface Props {
  title: string;
  /** One sentence below the title. */
  children?: ReactNode;
  /** Badges beside the title. */
  badges?: ReactNode;
  /** Buttons at the right, or below on a phone. */
  actions?: ReactNode;
  back?: { to: string; label: string };
}

/** The head of every page: it also names the browser's tab and tells screen readers where they are. */
export function PageHeader({ title, children, badges, actions, back }: Props) {
  useTitle(visible(title));
  return (
    <Group component="header" justify="space-between" align="flex-end" mb="lg" gap="sm">
      <Box miw={0} flex="1 1 320px" style={{ overflowWrap: 'anywhere' }}>
        {back && (
          <Anchor component={Link} to={back.to} size="sm" c="dimmed">
            ← {back.label}
          </Anchor>
        )}
        <Group gap="sm">
          <Title order={1}>
            <Plain>{title}</Plain>
          </Title>
          {badges}
        </Group>
        {children !== undefined && (
          <Text c="dimmed" size="sm" mt={2} component="div">
            {children}
          </Text>
        )}
      </Box>
      {actions && (
        <Group gap="xs" className={classes.actions}>
          {actions}
        </Group>
      )}
    </Group>
  );
}
