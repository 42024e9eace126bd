import { Drawer, Indicator } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { IconDots } from '@tabler/icons-react';
import { NavLink } from 'react-router';
import { DELIVERABLES, EXECUTIONS, INBOX } from './navigation';
import classes from './shell.module.css';
import { SideNav } from './side-nav';

/** The phone's navigation, where the thumb is. */
export function BottomNav({ waiting }: { waiting: number }) {
  const [more, { open, close }] = useDisclosure(false);
  return (
    <>
      <nav className={classes.bottom} aria-label="Main">
        {[INBOX, EXECUTIONS, DELIVERABLES].map(({ to, label, icon: Icon }) => (
          <NavLink key={to} to={to} className={classes.tab} aria-label={to === INBOX.to && waiting > 0 ? `${label}, ${waiting} waiting` : label}>
            <Indicator disabled={to !== INBOX.to || waiting === 0} label={waiting > 99 ? '99+' : waiting} size={17} offset={waiting > 9 ? { x: -4, y: 2 } : 2}>
              <Icon size={22} stroke={1.7} aria-hidden />
            </Indicator>
            <span>{label}</span>
          </NavLink>
        ))}
        <button type="button" className={classes.tab} onClick={open} aria-haspopup="dialog" aria-expanded={more}>
          <IconDots size={22} stroke={1.7} aria-hidden />
          <span>More</span>
        </button>
      </nav>
      <Drawer opened={more} onClose={close} position="bottom" size="auto" title="Go to" radius="lg">
        <SideNav waiting={waiting} onNavigate={close} />
      </Drawer>
    </>
  );
}
