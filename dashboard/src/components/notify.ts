import type { NotificationData } from '@mantine/notifications'
import { messageOf } from './states.tsx'

/** Shows a success toast. Screen readers announce it. */
export function notifySuccess(message: string): void {
  void show({ message, color: 'teal' })
}

/** Shows an error toast, for actions without a form. */
export function notifyError(error: unknown): void {
  notifyFailure(messageOf(error))
}

/** The same for a failure outside the API. */
export function notifyFailure(message: string): void {
  void show({ message, color: 'red', autoClose: 8000 })
}

/** The toasts load after the page. */
async function show(toast: NotificationData): Promise<void> {
  const { notifications } = await import('@mantine/notifications')
  notifications.show({ withBorder: true, closeButtonProps: { 'aria-label': 'Close' }, ...toast })
}
