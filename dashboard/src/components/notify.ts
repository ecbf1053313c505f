import { notifications } from '@mantine/notifications'
import { messageOf } from './states.tsx'

/** Shows a success toast. Screen readers announce it. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'teal', ...TOAST_STYLE })
}

/** Shows an error toast, for actions without a form. */
export function notifyError(error: unknown): void {
  notifications.show({ message: messageOf(error), color: 'red', ...TOAST_STYLE, autoClose: 8000 })
}

const TOAST_STYLE = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } }
