import { notifications } from '@mantine/notifications'
import { messageOf } from './states.tsx'

/** Says in the corner that something was done. Screen readers hear it. */
export function notifySuccess(message: string): void {
  notifications.show({ message, color: 'teal', ...LOOK })
}

/** Says in the corner why something that has no form of its own did not work. */
export function notifyError(error: unknown): void {
  notifications.show({ message: messageOf(error), color: 'red', ...LOOK, autoClose: 8000 })
}

const LOOK = { withBorder: true, closeButtonProps: { 'aria-label': 'Close' } }
