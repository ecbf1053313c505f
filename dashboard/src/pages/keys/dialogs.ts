// One file for the browser: it loads after the page.
export { EditKeyDialog } from './EditKeyDialog.tsx'
export { CreateKeyDialog, RevokeKeyDialog, RotateKeyDialog } from './KeyFormDialogs.tsx'
export { SecretDialog } from './SecretDialog.tsx'
