import { notifications } from '@mantine/notifications';
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { CodeText } from './code-text';

/** A toast that somebody has to have seen: it stays longer, and screen readers interrupt for it. */
export function showFailure(message: string, title = 'That did not work'): void {
  notifications.show({ title, message: <CodeText>{message}</CodeText>, color: 'red', icon: <IconAlertTriangle size={18} />, autoClose: 10_000, role: 'alert' });
}

export function showSuccess(message: string): void {
  notifications.show({ message, color: 'brand', icon: <IconCheck size={18} />, role: 'status' });
}

/** News with something to click in it. The same id replaces the toast before. It waits for an open dialog, whose buttons it could cover. */
export function showNews(id: string, title: string, message: ReactNode): void {
  hideNews(id);
  const show = () => notifications.show({ id, title, message, autoClose: 8_000, role: 'status' });
  if (!dialogIsOpen()) {
    show();
    return;
  }
  const closing = new MutationObserver(() => {
    if (dialogIsOpen()) return;
    hideNews(id);
    show();
  });
  closing.observe(document.body, { attributeFilter: [LOCKED] });
  held.set(id, closing);
}

export function hideNews(id: string): void {
  held.get(id)?.disconnect();
  held.delete(id);
  notifications.hide(id);
}

/** What waits for a dialog to close. */
const held = new Map<string, MutationObserver>();

/** Dialogs keep the page behind them from scrolling. */
const LOCKED = 'data-scroll-locked';

function dialogIsOpen(): boolean {
  return document.body.hasAttribute(LOCKED);
}
