// One file for the browser: it loads after the page.
export { NotifyMeDialog } from './NotifyMeDialog.tsx'
export { DeleteSubscriptionDialog, RotateSecretDialog, SubscriptionSecretDialog } from './SubscriptionConfirmations.tsx'
export { CreateSubscriptionDialog, EditSubscriptionDialog } from './SubscriptionForm.tsx'
